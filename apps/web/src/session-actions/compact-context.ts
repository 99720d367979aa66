// Compacting the context of a session, wherever it is offered.
import type { Feed, SessionFeed } from "../connection/session-feed.ts";
import { useFeedState } from "../connection/use-feed.ts";
import { attempt } from "../ui/feedback/attempt.ts";

/** Of the newest messages, a compaction keeps so many as they are. */
const keptMessages = 4;

/** Whether a compaction could do anything now: there is more than it keeps, and something new since the last one. */
export function canCompact({ session, transcript }: Pick<Feed, "session" | "transcript">): boolean {
  if (session === null || session.job === "compact" || !session.capabilities.includes("compact"))
    return false;
  const last = transcript.marks.findLast((mark) => mark.kind === "compaction");
  const since = transcript.messages.length - (last?.at ?? 0);
  return last === undefined ? since > keptMessages : since > 0;
}

export const useCanCompact = (): boolean => useFeedState(canCompact);

export const compactContext = (feed: SessionFeed): void => attempt(feed.ask({ type: "compact" }));
