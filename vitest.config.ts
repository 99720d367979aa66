// Unit and integration tests. Integration tests start real processes, so only a few files run at once.
import { defineConfig } from "vitest/config";
import { UnitReporter } from "./testing/src/report/unit-reporter.ts";
import { SlowFilesFirst } from "./testing/src/slow-files-first.ts";

export default defineConfig({
  test: {
    include: ["packages/*/test/**/*.test.ts", "apps/*/test/**/*.test.{ts,tsx}", "testing/test/**/*.test.ts"],
    pool: "forks",
    isolate: false, // files share what they import: a third of the time of those that start nothing
    reporters: ["default", new UnitReporter()],
    sequence: { sequencer: SlowFilesFirst },
    maxWorkers: 4, // on two cores: a third of the time goes into waiting for processes
    testTimeout: 60_000,
    // Once, because these tests start hundreds of real processes on machines we do not know. The summary names every
    // test that needed it. `npm run test:strict` has no retry.
    retry: 1,
    hookTimeout: 60_000,
    globalSetup: ["testing/src/build-once.ts"],
    setupFiles: ["testing/src/leak-check.ts"],
  },
});
