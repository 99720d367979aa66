// websocketd, what people use for this job: a message per line (text), or raw reads (--binary).
import { worker } from "../native.ts";
import type { Bridge } from "./bridge.ts";
import { startListening } from "./listening.ts";

export async function websocketd(mode: "text" | "binary"): Promise<Bridge> {
  const program = await startListening((port) => [
    "websocketd",
    `--port=${port}`,
    "--address=127.0.0.1",
    "--loglevel=fatal",
    ...(mode === "binary" ? ["--binary"] : []),
    worker,
  ]);
  const args = [`--port=${program.port}`, ...(mode === "text" ? ["--line-per-message"] : [])];
  return {
    name: mode === "text" ? "websocketd (text)" : "websocketd --binary",
    pid: program.pid,
    slow: mode === "text",
    links: async () => ({ pid: program.pid, args, paths: ["/"] }),
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}
