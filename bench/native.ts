// The two programs at the ends of every bridge, and the least of all bridges with a log. In C, because a worker or a reader in JavaScript would be
// slower than the fastest bridges and the bench would measure itself; without a compiler it has to do.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { repository } from "@patchbay/testing/server-process";

const sources = join(repository, "bench/native");
const built = join(repository, ".cache/bench");
const programs = {
  worker: ["worker.c"],
  reader: ["reader.c", "workloads.c", "link.c", "lines.c"],
  "log-bridge": ["log-bridge.c"],
};

/** The first line a program says about itself, or undefined when it is not installed. */
export function versionOf(program: string, flag: string): string | undefined {
  try {
    const said = execFileSync(program, [flag], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return said.split("\n", 1)[0];
  } catch {
    return undefined; // not installed, or not one that answers
  }
}

/** BENCH_CC names another one; empty, it means none. */
export const compiler: string | undefined = [process.env["BENCH_CC"] ?? "cc", "gcc", "clang"]
  .slice(0, process.env["BENCH_CC"] === undefined ? 3 : 1)
  .find((name) => name !== "" && versionOf(name, "--version") !== undefined);

export const worker: string =
  compiler === undefined
    ? fileURLToPath(new URL("without-c/worker.mjs", import.meta.url))
    : join(built, "worker");
export const reader: string =
  compiler === undefined
    ? fileURLToPath(new URL("without-c/reader.mjs", import.meta.url))
    : join(built, "reader");

/** Only where there is a compiler. */
export const logBridge: string = join(built, "log-bridge");

/** Once per change of the sources. */
export function compile(): void {
  if (compiler === undefined) return;
  mkdirSync(built, { recursive: true });
  const newest = Math.max(...readdirSync(sources).map((name) => statSync(join(sources, name)).mtimeMs));
  for (const [name, files] of Object.entries(programs)) {
    const target = join(built, name);
    if ((statSync(target, { throwIfNoEntry: false })?.mtimeMs ?? 0) > newest) continue;
    const paths = files.map((file) => join(sources, file));
    execFileSync(compiler, ["-O2", "-Wall", "-Wextra", "-o", target, ...paths], { stdio: ["ignore", 2, 2] });
  }
}
