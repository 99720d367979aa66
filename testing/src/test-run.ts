// What the servers of one run of the tests have in common: the beginning of their homes' paths, by which
// they and everything they started can be found when nobody else can end them any more.
import { tmpdir } from "node:os";
import { join } from "node:path";

export const runVariable = "PATCHBAY_TEST_RUN";

export const homePrefix = (): string =>
  join(tmpdir(), `patchbay-test-${process.env[runVariable] ?? "alone"}-`);
