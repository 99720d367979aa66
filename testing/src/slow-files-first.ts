// The order of test files where no durations are known yet, as in a fresh clone: the longest first. One that starts last would run
// alone, with the other core idle.
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Folders and files whose tests start and kill servers by the dozen, the longest first. */
const slow = [
  "apps/server/test/durability/chaos",
  "apps/server/test/conformance/conformance",
  "apps/server/test/durability/",
  "apps/server/test/attacks/",
  "apps/server/test/projections/ledger-billing",
  "apps/worker/test/jail/",
  "apps/worker/test/agent/retry",
  "apps/server/test/",
];

export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const found = slow.findIndex((path) => moduleId.includes(path));
      return found === -1 ? slow.length : found;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
