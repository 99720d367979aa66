// The minimal `ws` bridge that anyone would write first; the program is ws-lines.mjs beside this file.
import { fileURLToPath } from "node:url";
import { worker } from "../native.ts";
import type { Bridge } from "./bridge.ts";
import { startListening } from "./listening.ts";

const script = fileURLToPath(new URL("ws-lines.mjs", import.meta.url));

export async function wsLines(): Promise<Bridge> {
  const program = await startListening((port) => [process.execPath, script, String(port), worker]);
  return {
    name: "minimal ws",
    pid: program.pid,
    slow: true,
    links: async () => ({
      pid: program.pid,
      args: [`--port=${program.port}`, "--line-per-message"],
      paths: ["/"],
    }),
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}
