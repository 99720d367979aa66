// The common prefix of the homes of all servers, and of other temporary directories, of one test run. The end of the run finds
// leftover servers by it, and removes the directories.
import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const runVariable = "PATCHBAY_TEST_RUN";

export const homePrefix = (): string =>
  join(tmpdir(), `patchbay-test-${process.env[runVariable] ?? "alone"}-`);

/** A new directory that is removed at the end of the run. */
export const temporaryDirectory = (purpose: string): string =>
  realpathSync(mkdtempSync(`${homePrefix()}${purpose}-`));
