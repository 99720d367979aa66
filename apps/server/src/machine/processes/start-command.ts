// Starts a command for a worker: in the worker's sandbox if it has one, and with its tag, so that it is found if left behind.
import { type ChildProcess, spawn } from "node:child_process";
import { tagVariable } from "./orphans.ts";
import type { WorkerLaunch } from "./worker-process.ts";

export interface CommandPlace {
  readonly directory: string;
  /** Its whole environment. An agent may have chosen it, so it is set only inside the sandbox. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Starts the command as the leader of its own process group, without input. */
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
