// What a jailed agent has as /tmp: a directory of its own, which goes with the worker. A killed worker cannot
// clean up, so the next one does.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

export function makeScratch(home: string): string {
  const all = join(home, "scratch");
  mkdirSync(all, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(all)) {
    if (!isAlive(Number(name.split("-")[0]))) rmSync(join(all, name), { recursive: true, force: true });
  }
  return mkdtempSync(join(all, `${process.pid}-`));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
