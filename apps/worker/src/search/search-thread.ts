// The thread that searches: sync calls are several times faster than async ones, and a pattern that never
// comes to an end must not stop the worker. It does one task and ends.
import { parentPort, workerData } from "node:worker_threads";
import picomatch from "picomatch";
import { GrepReport } from "./grep-report.ts";
import { readPattern } from "./pattern.ts";
import { searchFile } from "./search-file.ts";
import type { FindTask, GrepTask, SearchAnswer, SearchTask } from "./search-task.ts";
import { type FoundEntry, walk } from "./walk.ts";

/** How many entries between two checks of the time. */
const checkEvery = 64;

function answer(task: SearchTask): SearchAnswer {
  try {
    return task.kind === "grep" ? grep(task) : find(task);
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

function grep(task: GrepTask): SearchAnswer {
  const pattern = readPattern(task.pattern, task);
  const report = new GrepReport(task.limit, task.context);
  const matches = matcher(task.glob);
  for (const found of within(task)) {
    if (found === "late") return { ok: true, text: ended(report), count: report.matches, cut: "time" };
    const { isDirectory, full, path } = found;
    if (isDirectory || !matches(path)) continue;
    searchFile(full, pattern, task.fence, (hit) => {
      report.flush({ path, number: hit.number });
      return report.take(path, hit);
    });
    if (report.more) break;
  }
  const text = ended(report);
  return { ok: true, text, count: report.matches, cut: report.more ? "limit" : null };
}

function ended(report: GrepReport): string {
  report.flush(null);
  return report.text();
}

function find(task: FindTask): SearchAnswer {
  const matches = matcher(task.glob);
  const paths: string[] = [];
  for (const found of within(task)) {
    if (found === "late") return { ok: true, text: paths.join("\n"), count: paths.length, cut: "time" };
    if (!matches(found.path)) continue;
    if (paths.length >= task.limit)
      return { ok: true, text: paths.join("\n"), count: paths.length, cut: "limit" };
    paths.push(found.isDirectory ? `${found.path}/` : found.path);
  }
  return { ok: true, text: paths.join("\n"), count: paths.length, cut: null };
}

function* within({ root, fence, timeoutMs }: SearchTask): Generator<FoundEntry | "late"> {
  const until = performance.now() + timeoutMs;
  let looked = 0;
  for (const found of walk(root, fence)) {
    if (++looked % checkEvery === 0 && performance.now() > until) {
      yield "late";
      return;
    }
    yield found;
  }
}

/** A glob without a slash matches names at any depth; a leading slash only anchors it at the root. */
function matcher(glob: string | null): (path: string) => boolean {
  if (glob === null) return () => true;
  const plain = glob.replace(/^(?:\.?\/)+/, "");
  return picomatch(plain, { dot: true, basename: !glob.includes("/") });
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only run-search.ts starts this thread
parentPort?.postMessage(answer(workerData as SearchTask));
