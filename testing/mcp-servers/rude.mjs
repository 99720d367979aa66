// Servers that do not keep to the protocol: `silent` never answers and ignores SIGTERM, `endless` writes one
// line without end, `flood` writes notifications as fast as it can.
const notification = `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "x" } })}\n`;

const behaviour = {
  silent() {
    process.on("SIGTERM", () => {});
    process.stdin.resume();
    setInterval(() => {}, 1_000_000);
  },
  endless: () => write("x".repeat(65_536)),
  flood: () => write(notification.repeat(500)),
};

function write(words) {
  while (process.stdout.write(words));
  process.stdout.once("drain", () => write(words));
}

process.stdout.on("error", () => process.exit(0));
behaviour[process.argv[2]]();
