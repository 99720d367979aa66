// Starts a search thread and waits for its answer: ended when the turn is aborted, or when a pattern takes
// so long that it would never come to an end by itself.
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import type { SearchAnswer, SearchTask } from "./search-task.ts";

/** The thread checks its own time limit between two entries, but not within the match of one pattern. */
const graceMs = 2_000;
/** A search holds one piece of a file and what it found. */
const resourceLimits = { maxOldGenerationSizeMb: 256 };

/** Beside the worker's entry, where the build puts it. */
const threadFile = (): string => join(dirname(process.argv[1] ?? ""), "search-thread.mjs");

export function runSearch(task: SearchTask, signal: AbortSignal): Promise<SearchAnswer> {
  if (signal.aborted) return Promise.reject(new Error("aborted"));
  const thread = new Worker(threadFile(), { workerData: task, resourceLimits, env: {} });
  return new Promise((resolve, reject) => {
    const tooLong = (): void =>
      settle(() =>
        reject(new Error(`the search took too long (over ${task.timeoutMs / 1000} s): simplify the pattern`)),
      );
    const timer = setTimeout(tooLong, task.timeoutMs + graceMs);
    const abort = (): void => settle(() => reject(new Error("aborted")));
    const settle = (end: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      void thread.terminate().then(end);
    };
    signal.addEventListener("abort", abort, { once: true });
    thread.once("message", (answer: SearchAnswer) => settle(() => resolve(answer)));
    thread.once("error", (error) => settle(() => reject(new Error(`the search failed: ${error.message}`))));
  });
}
