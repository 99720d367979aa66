// The part of a test run in the closing summary: failed tests, tests that needed a second try, and skipped tests by reason. `npm test` sets the file
// (PATCHBAY_TEST_REPORT) and prints the reports of all its steps at the end.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

interface RunReport {
  /** Failed tests by file and title, each with the first line of its error. */
  failed: string[];
  /** Tests that failed first and passed in a second try, by file and title. */
  retried: string[];
  /** How many tests were skipped, by reason. */
  skipped: Record<string, number>;
}

export class RunReportBuilder {
  readonly #failed: string[] = [];
  readonly #retried = new Set<string>();
  readonly #skipped = new Map<string, number>();

  failed(test: string, error: string | undefined): void {
    const [line = ""] = (error ?? "").trim().split("\n");
    this.#failed.push(line === "" ? test : `${test}: ${line.slice(0, 300)}`);
  }

  retried(test: string): void {
    this.#retried.add(test);
  }

  skipped(reason: string): void {
    this.#skipped.set(reason, (this.#skipped.get(reason) ?? 0) + 1);
  }

  /** Writes to the file of `npm test`; without one, to the terminal. */
  publish(): void {
    const report: RunReport = {
      failed: this.#failed,
      retried: [...this.#retried],
      skipped: Object.fromEntries([...this.#skipped].sort(([, a], [, b]) => b - a)),
    };
    const path = process.env["PATCHBAY_TEST_REPORT"];
    if (path === undefined) process.stdout.write(describeReport(report));
    else {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, JSON.stringify(report));
    }
  }
}

function describeReport({ failed, retried, skipped }: RunReport): string {
  const lines: string[] = [];
  if (failed.length > 0) lines.push(`\nFailed: ${failed.length}`, ...failed.map((test) => `  ${test}`));
  if (retried.length > 0)
    lines.push(`\nNeeded a second try: ${retried.length}`, ...retried.map((test) => `  ${test}`));
  const reasons = Object.entries(skipped);
  const total = reasons.reduce((sum, [, count]) => sum + count, 0);
  if (total > 0)
    lines.push(
      `\nSkipped: ${total}`,
      ...reasons.map(([reason, count]) => `${String(count).padStart(6)}  ${reason}`),
    );
  return lines.map((line) => `${line}\n`).join("");
}
