// The least a bridge with a log can do, written in C: what one hop with a log can reach on this machine.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { logBridge, worker } from "../native.ts";
import type { Bridge } from "./bridge.ts";
import { startListening } from "./listening.ts";

export async function cWithLog(): Promise<Bridge> {
  const directory = mkdtempSync(join(tmpdir(), "patchbay-bench-"));
  const program = await startListening((port) => [logBridge, String(port), worker, directory]);
  return {
    name: "C with a log",
    pid: program.pid,
    slow: false,
    links: async () => ({ pid: program.pid, args: [`--port=${program.port}`], paths: ["/"] }),
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
