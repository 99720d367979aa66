// Hands a worker its keys through a pipe that it reads and closes when it starts. An environment would
// keep them in /proc for every command of the agent to read.
import type { ChildProcess } from "node:child_process";
import { Writable } from "node:stream";

const descriptor = 3;
export const secretsArguments = ["--secrets-fd", String(descriptor)] as const;
export const stdioWithSecrets = ["pipe", "pipe", "pipe", "pipe"] as const;

/** They fit into the pipe's buffer, so nobody waits for a worker that does not read. */
export function handOver(child: ChildProcess, secrets: Readonly<Record<string, string>>): void {
  const pipe = child.stdio[descriptor];
  if (!(pipe instanceof Writable)) return; // the program could not be started, which is told elsewhere
  pipe.on("error", () => {}); // it ended before it read them: its exit tells why
  pipe.end(JSON.stringify(secrets));
}
