// Compacting the context of a session, wherever it is offered.
import type { SessionInfo } from "@patchbay/protocol";
import type { SessionFeed } from "../connection/session-feed.ts";
import { attempt } from "../ui/feedback/attempt.ts";

/** A session without messages has nothing to compact. */
export const canCompact = ({ capabilities, message_count }: SessionInfo): boolean =>
  capabilities.includes("compact") && message_count > 0;

export const compactContext = (feed: SessionFeed): void => attempt(feed.ask({ type: "compact" }));
