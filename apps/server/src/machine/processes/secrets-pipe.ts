// Sends a worker its keys through a pipe that it reads and closes when it starts. In the environment they would
// stay readable in /proc for every command of the agent.
import type { ChildProcess } from "node:child_process";
import { Writable } from "node:stream";

const descriptor = 3;
export const secretsArguments = ["--secrets-fd", String(descriptor)] as const;
export const stdioWithSecrets = ["pipe", "pipe", "pipe", "pipe"] as const;

/** The secrets fit into the pipe's buffer, so a worker that does not read blocks nothing. */
export function sendSecrets(child: ChildProcess, secrets: Readonly<Record<string, string>>): void {
  const pipe = child.stdio[descriptor];
  if (!(pipe instanceof Writable)) return; // the program could not be started, which is reported elsewhere
  pipe.on("error", () => {}); // it ended before it read them: its exit has the reason
  pipe.end(JSON.stringify(secrets));
}
