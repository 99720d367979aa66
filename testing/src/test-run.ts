// The common prefix of the homes of all servers of one test run. Leftover servers and their processes are found by it.
import { tmpdir } from "node:os";
import { join } from "node:path";

export const runVariable = "PATCHBAY_TEST_RUN";

export const homePrefix = (): string =>
  join(tmpdir(), `patchbay-test-${process.env[runVariable] ?? "alone"}-`);
