// Shows an extension's log, and goes on with -f. A log that is turned over is followed into its new file.
import { open, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { CliError } from "./cli-error.ts";
import type { Installed } from "./installed.ts";
import { pick } from "./pick.ts";

/** Nothing tells reliably and everywhere that a file has grown. */
const lookEvery = 200;

export async function showLog(
  home: string,
  all: readonly Installed[],
  word: string,
  follow: boolean,
): Promise<void> {
  const path = join(home, "logs", `ext-${nameOf(all, word)}.log`);
  const before = await readFile(`${path}.1`).catch(() => Buffer.alloc(0));
  process.stdout.write(before);
  let seen = await printFrom(path, { ino: 0, size: 0 });
  if (seen === null && !follow) {
    throw new CliError(`there is no log at ${path}: it has not been started yet.`);
  }
  while (follow) {
    await new Promise((resolve) => setTimeout(resolve, lookEvery));
    seen = (await printFrom(path, seen ?? { ino: 0, size: 0 })) ?? seen;
  }
}

/** A log outlives its extension, so a name that is no longer installed is as good. */
function nameOf(all: readonly Installed[], word: string): string {
  const known = all.some(({ manifest }) => manifest?.name === word);
  if (known || (!word.includes("/") && !all.some(({ base }) => base === word))) return word;
  return pick(all, word).manifest?.name ?? word;
}

interface Seen {
  readonly ino: number;
  readonly size: number;
}

/** What has been written since; null when there is no file. */
async function printFrom(path: string, seen: Seen): Promise<Seen | null> {
  const now = await stat(path).catch(() => null);
  if (now === null) return null;
  const start = now.ino === seen.ino && now.size >= seen.size ? seen.size : 0;
  if (now.size > start) {
    const file = await open(path);
    const { buffer } = await file.read(Buffer.alloc(now.size - start), 0, now.size - start, start);
    await file.close();
    process.stdout.write(buffer);
  }
  return { ino: now.ino, size: now.size };
}
