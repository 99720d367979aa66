// Ends a run of unit tests with what was skipped, counted by the reason.
import type { Reporter, TestCase, TestModule, TestSuite } from "vitest/node";

export class SkipReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>();
    for (const module of modules)
      for (const test of module.children.allTests("skipped")) {
        const reason = reasonOf(test);
        counts.set(reason, (counts.get(reason) ?? 0) + 1);
      }
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    if (total === 0) return;
    process.stdout.write(`\nSkipped: ${total}\n`);
    for (const [reason, count] of [...counts].sort(([, a], [, b]) => b - a))
      process.stdout.write(`${String(count).padStart(6)}  ${reason}\n`);
  }
}

/** Of the test, or of a suite around it. */
function reasonOf(test: TestCase): string {
  const result = test.result();
  if (result.state === "skipped" && result.note !== undefined) return result.note;
  for (let at: TestCase | TestSuite | TestModule = test; ; at = at.parent) {
    const reason = at.meta().skipped;
    if (reason !== undefined) return reason;
    if (at.type === "module") return `no reason given (${at.relativeModuleId})`;
  }
}
