// Compiles the two C programs of the bench, once per change. C, because a worker or a reader written in
// JavaScript would be slower than the bridges between them, and the bench would measure itself.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { repository } from "@patchbay/testing/server-process";

const sources = join(repository, "bench/native");
const built = join(repository, ".cache/bench");

export const worker = join(built, "worker");
export const reader = join(built, "reader");

export const compiler = (): string | undefined =>
  ["cc", "gcc", "clang"].find((name) => versionOf(name, "--version") !== undefined);

/** The first line a program says about itself, or undefined when it is not installed. */
export function versionOf(program: string, flag: string): string | undefined {
  try {
    const said = execFileSync(program, [flag], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return said.split("\n", 1)[0];
  } catch {
    return undefined; // not installed, or not one that answers
  }
}

export function compile(): void {
  const cc = compiler();
  if (cc === undefined) {
    throw new Error("The bench needs a C compiler (Debian: apt-get install gcc libc6-dev), and found none.");
  }
  mkdirSync(built, { recursive: true });
  const newest = Math.max(...readdirSync(sources).map((name) => statSync(join(sources, name)).mtimeMs));
  const programs = { worker: ["worker.c"], reader: ["reader.c", "workloads.c", "link.c", "lines.c"] };
  for (const [name, files] of Object.entries(programs)) {
    const target = join(built, name);
    if ((statSync(target, { throwIfNoEntry: false })?.mtimeMs ?? 0) > newest) continue;
    const paths = files.map((file) => join(sources, file));
    execFileSync(cc, ["-O2", "-Wall", "-Wextra", "-o", target, ...paths], { stdio: ["ignore", 2, 2] });
  }
}
