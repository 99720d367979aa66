// The minimal line bridge: a worker per socket, a message per line, nothing kept. Deliberately naive;
// it is what the comparison calls "minimal ws".
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { WebSocketServer } from "ws";

const [port, worker] = process.argv.slice(2);

new WebSocketServer({ host: "127.0.0.1", port: Number(port), perMessageDeflate: false }).on(
  "connection",
  (socket) => {
    const child = spawn(worker, { stdio: ["pipe", "pipe", "inherit"] });
    child.stdin.on("error", () => {}); // it went first; `close` below tells the viewer
    createInterface({ input: child.stdout }).on("line", (line) => socket.send(line));
    socket.on("message", (data) => child.stdin.write(Buffer.isBuffer(data) ? data : "")); // ends in LF
    socket.on("close", () => child.kill());
    child.on("close", () => socket.close());
  },
);

process.once("SIGTERM", () => process.exit(0)); // the workers notice that their input ends
