// Collects the results of unit tests for the closing summary, and the time of each file (for `npm run check`).
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from "vitest/node";
import { RunReportBuilder } from "./run-report.ts";

const durationsPath = join(dirname(fileURLToPath(import.meta.url)), "../../../.cache/test-durations.json");

export class UnitReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const report = new RunReportBuilder();
    for (const module of modules) {
      const path = module.relativeModuleId;
      for (const suite of [module, ...module.children.allSuites()])
        for (const error of suite.errors()) report.failed(`${path} (outside its tests)`, error.message);
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === "skipped") report.skipped(reasonOf(test));
        if (result.state === "failed") report.failed(`${path} > ${test.fullName}`, result.errors[0]?.message);
        if (test.diagnostic()?.flaky) report.retried(`${path} > ${test.fullName}`);
      }
    }
    for (const error of unhandled) report.failed("an unhandled error", error.message);
    report.publish();
    saveDurations(modules);
  }
}

/** The reason of the test, or of a suite that contains it. */
function reasonOf(test: TestCase): string {
  const result = test.result();
  if (result.state === "skipped" && result.note !== undefined) return result.note;
  for (let at: TestCase | TestSuite | TestModule = test; ; at = at.parent) {
    const reason = at.meta().skipped;
    if (reason !== undefined) return reason;
    if (at.type === "module") return `no reason given (${at.relativeModuleId})`;
  }
}

/** Milliseconds by file. Files that did not run keep their last time. */
function saveDurations(modules: readonly TestModule[]): void {
  const durations = readDurations();
  for (const module of modules) {
    const { duration, collectDuration } = module.diagnostic();
    durations[module.relativeModuleId] = Math.round(duration + collectDuration);
  }
  mkdirSync(dirname(durationsPath), { recursive: true });
  writeFileSync(durationsPath, JSON.stringify(durations));
}

function readDurations(): Record<string, number> {
  try {
    return JSON.parse(readFileSync(durationsPath, "utf8")) as Record<string, number>;
  } catch {
    return {}; // the first run
  }
}
