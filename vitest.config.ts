// Unit and integration tests. Integration tests start real processes, so only a few files run at once.
import { defineConfig } from "vitest/config";
import { SkipReporter } from "./testing/src/skip-reporter.ts";

export default defineConfig({
  test: {
    include: ["packages/*/test/**/*.test.ts", "apps/*/test/**/*.test.{ts,tsx}", "testing/test/**/*.test.ts"],
    pool: "forks",
    isolate: false, // files share what they import: a third of the time of those that start nothing
    reporters: ["default", new SkipReporter()],
    maxWorkers: 3, // on two cores: most of the time goes into waiting for processes
    testTimeout: 60_000,
    // Once, because these tests start hundreds of real processes on machines we do not know. A test that
    // needed it is printed with "(retry x1)": it has told us something that we must not ignore.
    retry: 1,
    hookTimeout: 60_000,
    globalSetup: ["testing/src/build-once.ts"],
  },
});
