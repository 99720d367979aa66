// Starts a command for a worker: where the worker itself is, in the sandbox or not, and found with it if it is left behind.
import { type ChildProcess, spawn } from "node:child_process";
import { tagVariable } from "./orphans.ts";
import type { WorkerLaunch } from "./worker-process.ts";

export interface CommandPlace {
  readonly directory: string;
  /** All that it has in its environment. An agent may have chosen it: in the sandbox it is set inside only. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The leader of a process group of its own. It has no input. */
export function startCommand(
  { sandbox, tag }: Pick<WorkerLaunch, "sandbox" | "tag">,
  command: readonly [string, ...string[]],
  { directory, environment }: CommandPlace,
): ChildProcess {
  const tagged = { [tagVariable]: tag };
  const env = { ...environment, ...tagged };
  if (sandbox !== undefined)
    return sandbox.start({ command, environment: env, directory, tag: tagged, stdin: "ignore" });
  const [program, ...args] = command;
  return spawn(program, args, { cwd: directory, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
}
