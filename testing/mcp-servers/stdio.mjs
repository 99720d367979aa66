// The offer over stdio. `--greet` prints a banner first, as many programs do; `--modern` refuses the protocol
// of 2025; `--after FILE` starts only when the file is there; `--once FILE` dies at its second start.
import { existsSync, watch, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createServer } from "./offer.mjs";

const valueOf = (flag) => {
  const at = process.argv.indexOf(flag);
  return at === -1 ? undefined : process.argv[at + 1];
};

async function untilThere(file) {
  await new Promise((resolve) => {
    const look = () => {
      if (!existsSync(file)) return;
      watcher.close();
      resolve();
    };
    const watcher = watch(dirname(file), look);
    look();
  });
}

process.stderr.write("the server has started\n");
if (process.argv.includes("--greet")) process.stdout.write("Welcome to the server!\n");
const once = valueOf("--once");
if (once !== undefined) {
  if (existsSync(once)) process.exit(7);
  writeFileSync(once, "started");
}
const after = valueOf("--after");
if (after !== undefined) await untilThere(after);
serveStdio(() => createServer(), { legacy: process.argv.includes("--modern") ? "reject" : "serve" });
