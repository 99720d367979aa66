// Where outputs that were too long to show are kept: one directory for all sessions of a home, cleaned
// whenever a file is added.
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/** Four of the longest: an output is read soon after it was written, or not at all. */
const maxBytes = 1024 * 1024 * 1024;
const maxAgeMs = 7 * 24 * 3_600_000;
/** Many small files cost little space, but listing them takes time. */
const maxFiles = 1_000;

export const outputsIn = (home: string): string => join(home, "outputs");

/** The name of a file to make; null where nothing can be kept. */
export function newOutputFile(directory: string): string | null {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    clean(directory);
    return join(directory, `${randomBytes(8).toString("hex")}.log`);
  } catch {
    return null; // read-only, or full: the command's result matters more
  }
}

/** The newest stay, as far as they fit. */
function clean(directory: string): void {
  const files = readdirSync(directory)
    .filter((name) => name.endsWith(".log"))
    .flatMap((name) => sizeAndAge(join(directory, name)))
    .sort((a, b) => a.age - b.age);
  let bytes = 0;
  for (const [index, { path, size, age }] of files.entries()) {
    bytes += size;
    if (bytes > maxBytes || age > maxAgeMs || index >= maxFiles) rmSync(path, { force: true });
  }
}

function sizeAndAge(path: string): { path: string; size: number; age: number }[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? [] : [{ path, size: stats.size, age: Date.now() - stats.mtimeMs }];
}
