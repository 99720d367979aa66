// The line below the composer: what the agent can reach, what it may do without asking, and what extensions report. Its parts are a
// chunk of their own, which a first screen does not wait for; the line keeps its height.
import { Suspense } from "react";
import { useCan } from "../connection/use-can.ts";
import { useFeedState } from "../connection/use-feed.ts";
import { lazyPart } from "../ui/lazy-part.ts";
import { useAgentModes, useApprovals } from "./use-modes.ts";
import { useSandbox } from "./use-sandbox.ts";

const FooterParts = lazyPart(() => import("./footer-parts.tsx"));

export function ComposerFooter() {
  const hasStatuses = useFeedState((feed) => feed.transcript.surface.statuses.length > 0);
  const hasSandbox = useSandbox() !== undefined;
  const hasApprovals = useApprovals() !== undefined;
  const canChoose = [useCan("steer"), useCan("follow_up")].includes(true);
  const hasModes = useAgentModes().length > 0;
  if (!hasSandbox && !hasApprovals && !hasModes && !canChoose && !hasStatuses) return null;
  return (
    <div className="mt-1 flex min-h-7 min-w-0 items-center gap-1 phone:min-h-11">
      <Suspense>
        <FooterParts canChoose={canChoose} />
      </Suspense>
    </div>
  );
}
