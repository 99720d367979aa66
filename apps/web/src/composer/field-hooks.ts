// The composer's field: it grows, takes the focus, and gets back a prompt that was refused.
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { activeSession } from "../connection/open-feeds.ts";
import type { OutboxItem } from "../connection/outgoing/outbox.ts";
import { useFeed, useFeedState } from "../connection/use-feed.ts";

/** The field grows with its text; CSS bounds how far. */
export function useGrowingField(): RefObject<HTMLTextAreaElement | null> {
  const feed = useFeed();
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const element = field.current;
    if (element === null) return;
    element.style.height = "auto";
    element.style.height = `${element.scrollHeight}px`;
  });
  useEffect(() => {
    // On a phone the keyboard would cover half of the transcript.
    if (matchMedia("(pointer: fine)").matches && activeSession() === feed.id) field.current?.focus();
  }, [feed]);
  return field;
}

/** A prompt that the server refused comes back into the field, with the reason beside it. */
export function useRefused(onRefused: (item: OutboxItem, reason: string) => void): void {
  const feed = useFeed();
  const refused = useFeedState((state) => state.refused);
  useEffect(() => {
    if (refused === null) return;
    onRefused(refused.item, refused.reason);
    feed.clearRefused();
  });
}
