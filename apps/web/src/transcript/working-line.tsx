// The last line while the agent works: what it is doing right now and for how long. A screen
// reader reads it too: that a turn began, and that it is over.
import type { Message, SessionInfo } from "@patchbay/protocol";
import { useFeedState } from "../connection/use-feed.ts";
import { useElapsed } from "../device/use-elapsed.ts";
import { formatCost } from "../format/money.ts";
import { formatDuration } from "../format/time.ts";
import { transcriptTexts } from "./texts.ts";

export function WorkingLine() {
  const state = useFeedState((feed) => feed.session?.state);
  const job = useFeedState((feed) => feed.session?.job ?? null);
  const opened = useFeedState((feed) => feed.transcript.partial !== null);
  const compacting = useFeedState((feed) => feed.transcript.surface.compacting);
  const activity =
    state === "starting"
      ? transcriptTexts.starting
      : compacting !== null
        ? compactingText(compacting)
        : state === "busy"
          ? doing(job, opened)
          : null;
  // A frame that came later than this state ends the silence at once; the next state says so too.
  const silentSince = useFeedState(({ session, seq }) =>
    session !== null && session.seq === seq ? session.silent_since : undefined,
  );
  return (
    <div role="status" className="mt-2 min-h-6">
      {activity !== null && <Working key={activity} activity={activity} />}
      {activity !== null && silentSince !== undefined && <Silent key={silentSince} since={silentSince} />}
    </div>
  );
}

const compactingText = (reason: string): string =>
  reason === "overflow" ? transcriptTexts.compactingFull : transcriptTexts.compactingNearlyFull;

function doing(job: SessionInfo["job"], opened: boolean): string {
  if (job === "bash") return transcriptTexts.runningCommand;
  if (job === "compact") return transcriptTexts.compacting;
  return opened ? transcriptTexts.working : transcriptTexts.waiting;
}

/** What began the turn: steering only joins it. */
const isPrompt = ({ role, bash, steering }: Message): boolean =>
  role === "user" && bash === undefined && steering !== true;

/** Not read aloud every second: the time is hidden from screen readers. */
function Silent({ since }: { since: string }) {
  const elapsed = useElapsed(true, since);
  return (
    <p className="mt-0.5 ml-3.5 text-xs text-faint">
      {transcriptTexts.silent}
      <span aria-hidden className="tabular-nums">
        {" · "}
        {formatDuration(Math.floor(elapsed / 1_000) * 1_000)}
      </span>
    </p>
  );
}

function Working({ activity }: { activity: string }) {
  const asked = useFeedState(({ transcript }) =>
    transcript.partial === null ? "" : (transcript.messages.findLast(isPrompt)?.time ?? ""),
  );
  const elapsed = useElapsed(true, asked);
  const usage = useFeedState((feed) => feed.transcript.partial?.usage);
  const spent = usage !== undefined && (usage.cost_usd > 0 || (usage.unpriced ?? 0) > 0);
  return (
    <div className="flex animate-appear items-center gap-2 text-xs text-muted">
      <span aria-hidden className="size-1.5 animate-pulse-dot rounded-full bg-working" />
      <span>{activity}</span>
      <span aria-hidden className="text-faint tabular-nums">
        {[
          ...(elapsed >= 1_000 ? [formatDuration(Math.floor(elapsed / 1_000) * 1_000)] : []),
          ...(spent ? [formatCost(usage)] : []),
        ].join(" · ")}
      </span>
    </div>
  );
}
