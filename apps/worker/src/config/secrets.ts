// Secrets that the server passes through an inherited pipe instead of the environment, which the agent's own
// commands could read in /proc. Read with plain system calls: a session's first response waits for it.
import { closeSync, readSync } from "node:fs";
import { OptionsError } from "./flags.ts";

/** The size of a large environment; a longer input is not a secrets object. */
const maxBytes = 1024 * 1024;
/** The server writes at once; this is for a pipe without a writer. */
const timeoutMs = 5_000;

export function readSecrets(descriptor: number): Record<string, string> {
  try {
    return parse(readAll(descriptor));
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new OptionsError(`--secrets-fd ${descriptor} cannot be read: ${problem}`);
  }
}

function readAll(descriptor: number): string {
  const bytes = Buffer.allocUnsafe(maxBytes);
  const until = performance.now() + timeoutMs;
  let filled = 0;
  for (;;) {
    const read = readSome(descriptor, bytes, filled);
    if (read === 0) break;
    if (read === null) {
      if (performance.now() > until) throw new Error("nothing came");
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
      continue;
    }
    filled += read;
    if (filled === maxBytes) throw new Error("it is too long");
  }
  closeSync(descriptor);
  return bytes.toString("utf8", 0, filled);
}

/** Null: nothing yet, on a descriptor that does not block. */
function readSome(descriptor: number, bytes: Buffer, at: number): number | null {
  try {
    return readSync(descriptor, bytes, at, maxBytes - at, null);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EAGAIN") return null;
    throw error;
  }
}

function parse(text: string): Record<string, string> {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null) throw new Error("it is not a JSON object");
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, secret]) => (typeof secret === "string" ? [[name, secret]] : [])),
  );
}
