// Shows an extension's log, and goes on with -f. A rotated log is followed into its new file.
import { open, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { CliError } from "./cli-error.ts";
import type { Installed } from "./installed.ts";
import { pick } from "./pick.ts";

/** Polled: file watching does not work everywhere. */
const pollMs = 200;

export async function showLog(
  home: string,
  all: readonly Installed[],
  name: string,
  follow: boolean,
): Promise<void> {
  const path = join(home, "logs", `ext-${nameOf(all, name)}.log`);
  const before = await readFile(`${path}.1`).catch(() => Buffer.alloc(0));
  process.stdout.write(before);
  let seen = await printFrom(path, { ino: 0, size: 0 });
  if (seen === null && !follow) {
    throw new CliError(`no log at ${path}: the extension has not been started yet.`);
  }
  while (follow) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    seen = (await printFrom(path, seen ?? { ino: 0, size: 0 })) ?? seen;
  }
}

/** A log outlives its extension, so a name that is no longer installed is as good. */
function nameOf(all: readonly Installed[], name: string): string {
  const known = all.some(({ manifest }) => manifest?.name === name);
  if (known || (!name.includes("/") && !all.some(({ base }) => base === name))) return name;
  return pick(all, name).manifest?.name ?? name;
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
