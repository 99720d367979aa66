// The prompts that the server does not have. A socket that seems open may be dead: a prompt without a response after a
// moment is shown as not sent.
import { useEffect, useState } from "react";
import type { OutboxItem } from "../../connection/outgoing/outbox.ts";
import { useFeedState } from "../../connection/use-feed.ts";

/** Longer than a response takes on a working line. */
const lateMs = 1_500;

export function useUnsent(): readonly OutboxItem[] {
  const sending = useFeedState((feed) => feed.sending);
  const live = useFeedState((feed) => feed.link.state === "live");
  const [late, setLate] = useState<readonly OutboxItem[]>([]);
  useEffect(() => {
    const timer = setTimeout(() => setLate(sending), lateMs);
    return () => clearTimeout(timer);
  }, [sending]);
  return live ? sending.filter((item) => late.includes(item)) : sending;
}
