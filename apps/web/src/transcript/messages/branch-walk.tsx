// Where the conversation went on in more than one way. Few do, so what shows it is a chunk of its own.
import type { BranchPoint } from "@patchbay/protocol";
import { lazy, Suspense } from "react";

const BranchSteps = lazy(() => import("./branch-steps.tsx"));

export const BranchWalk = ({ point }: { point: BranchPoint }) => (
  <Suspense>
    <BranchSteps point={point} />
  </Suspense>
);
