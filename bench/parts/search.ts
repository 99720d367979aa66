// The grep and find tools against ripgrep, on the packages of this repository: the same question in turns,
// from starting the thread or the process to the whole answer.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { repository } from "@patchbay/testing/server-process";
import { type Findings, figure, median, type Setting } from "../part.ts";

const root = join(repository, "node_modules");
const thread = join(repository, "dist/worker/search-thread.mjs");
/** The same files as ours: hidden ones too, and what .gitignore files outside say about node_modules does not count. */
const ripgrep = ["--hidden", "--no-require-git", "--no-ignore-parent", "--glob", "!.git"];

const questions = [
  { what: "a word that occurs", task: { kind: "grep", pattern: "createServer" }, args: ["createServer"] },
  { what: "a word that does not", task: { kind: "grep", pattern: "zzqqzz" }, args: ["zzqqzz"] },
  {
    what: "an expression",
    task: { kind: "grep", pattern: "\\bfunction \\w+Error\\(" },
    args: ["\\bfunction \\w+Error\\("],
  },
  {
    what: "two words, any case",
    task: { kind: "grep", pattern: "zzqq|qqzz", ignoreCase: true },
    args: ["-i", "zzqq|qqzz"],
  },
  { what: "files by name", task: { kind: "find", glob: "*.d.ts" }, args: ["--files", "--glob", "*.d.ts"] },
];

export async function measure({ quick, say }: Setting): Promise<Findings> {
  if (spawnSync("rg", ["--version"]).error !== undefined) {
    say("ripgrep is not installed (Debian: ripgrep); the search is not compared");
    return { tables: [], bars: [] };
  }
  const rows: string[][] = [];
  for (const { what, task, args } of questions) {
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < (quick ? 3 : 9); round++) {
      ours.push(await timed(() => search(task)));
      theirs.push(await timed(() => spawnSync("rg", [...ripgrep, ...args, root], { maxBuffer: 2 ** 30 })));
    }
    const [mine, other] = [median(ours), median(theirs)];
    rows.push([what, figure(mine / other), figure(mine), figure(other)]);
  }
  const header = ["question", "× ripgrep", "ours, ms", "ripgrep, ms"];
  return { tables: [{ title: "Searching node_modules", header, rows }], bars: [] };
}

async function timed(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function search(task: object): Promise<unknown> {
  const defaults = { root, fence: null, glob: null, limit: 1e6, patience: 60_000 };
  const details = { literal: false, ignoreCase: false, context: 0 };
  const worker = new Worker(thread, { workerData: { ...defaults, ...details, ...task } });
  return new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
}
