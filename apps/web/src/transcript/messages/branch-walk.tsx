// Where the conversation went on in more than one way. Few do, so what shows it is a chunk of its own.
import type { BranchPoint } from "@patchbay/protocol";
import { Suspense } from "react";
import { lazyPart } from "../../ui/lazy-part.ts";

const BranchSteps = lazyPart(() => import("./branch-steps.tsx"));

export const BranchWalk = ({ point }: { point: BranchPoint }) => (
  <Suspense>
    <BranchSteps point={point} />
  </Suspense>
);
