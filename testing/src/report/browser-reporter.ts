// Collects the results of browser tests for the closing summary.
import { relative } from "node:path";
import type { FullConfig, Reporter, Suite, TestCase } from "@playwright/test/reporter";
import { RunReportBuilder } from "./run-report.ts";

export default class BrowserReporter implements Reporter {
  #tests: readonly TestCase[] = [];
  #root = "";

  onBegin(config: FullConfig, suite: Suite): void {
    this.#root = config.configFile === undefined ? config.rootDir : `${config.configFile}/..`;
    this.#tests = suite.allTests();
  }

  onEnd(): void {
    const report = new RunReportBuilder();
    for (const test of this.#tests) {
      const outcome = test.outcome();
      if (outcome === "unexpected")
        report.failed(this.#nameOf(test), test.results.find(({ error }) => error)?.error?.message);
      if (outcome === "flaky") report.retried(this.#nameOf(test));
      if (outcome === "skipped") report.skipped(reasonOf(test));
    }
    report.publish();
  }

  /** The list reporter prints the results during the run. */
  printsToStdio(): boolean {
    return false;
  }

  #nameOf(test: TestCase): string {
    const [, , , ...titles] = test.titlePath(); // before them: the root, the project, the file
    return [relative(this.#root, test.location.file), ...titles].join(" > ");
  }
}

function reasonOf(test: TestCase): string {
  const annotation = test.annotations.find(({ type }) => type === "skip" || type === "fixme");
  return annotation?.description ?? "no reason given";
}
