// What a confined agent has as its home and as /tmp: directories of its own, which go with the process that made them. A
// killed one cannot clean up, so the next one does.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

export interface Scratch {
  readonly home: string;
  readonly tmp: string;
  /** Resolves when they are gone, as far as that is possible. */
  remove(): Promise<void>;
}

/** Below the server's home, which no agent sees. */
export function makeScratch(serverHome: string): Scratch {
  const all = scratchIn(serverHome);
  mkdirSync(all, { recursive: true, mode: 0o700 });
  const own = realpathSync(mkdtempSync(join(all, `${process.pid}-`)));
  const [home, tmp] = [join(own, "home"), join(own, "tmp")];
  for (const directory of [home, tmp]) mkdirSync(directory, { mode: 0o700 });
  return { home, tmp, remove: () => removeTree(own) };
}

const scratchIn = (serverHome: string): string => join(serverHome, "scratch");

/** Removes what processes that are gone have left. */
export async function cleanScratch(serverHome: string): Promise<void> {
  const all = scratchIn(serverHome);
  const names = await readdir(all).catch(() => []); // none was ever made
  const left = names.filter((name) => !isAlive(Number(name.split("-")[0])));
  for (const name of left) await removeTree(join(all, name));
}

/** What cannot be removed now is tried again by the next one. */
async function removeTree(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 2 }).catch(async () => {
    openUp(path); // Go's modules are in directories without write permission
    await rm(path, { recursive: true, force: true, maxRetries: 2 }).catch(() => {});
  });
}

function openUp(directory: string): void {
  try {
    chmodSync(directory, 0o700);
    for (const entry of readdirSync(directory, { withFileTypes: true }))
      if (entry.isDirectory()) openUp(join(directory, entry.name));
  } catch {
    // gone meanwhile, or not ours
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
