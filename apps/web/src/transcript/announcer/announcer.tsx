// Announces answers to screen readers: sentence by sentence while they stream, politely, and not all of the text.
// Failures are announced at once, and only here: rows are mounted again while the reader scrolls, and would repeat it.
import type { Mark, Transcript } from "@patchbay/protocol";
import { messageText } from "@patchbay/protocol";
import { useEffect, useState } from "react";
import { useFeed } from "../../connection/use-feed.ts";
import { failureText } from "../marks/failure-text.ts";
import { pause, Speech } from "./speech.ts";

/** `count` makes two announcements of the same text announced twice. */
interface Announcement {
  text: string;
  count: number;
}

const nothing: Announcement = { text: "", count: 0 };

export function Announcer() {
  const { spoken, failed } = useAnnouncements();
  return (
    <>
      <div aria-live="polite" data-announced className="sr-only">
        <p key={spoken.count}>{spoken.text}</p>
      </div>
      <div role="alert" data-alarm className="sr-only">
        <p key={failed.count}>{failed.text}</p>
      </div>
    </>
  );
}

function useAnnouncements(): { spoken: Announcement; failed: Announcement } {
  const feed = useFeed();
  const [spoken, setSpoken] = useState(nothing);
  const [failed, setFailed] = useState(nothing);
  useEffect(() => {
    const speech = new Speech();
    let known = feed.store.getState().transcript;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const announce = (text: string | null): void => {
      if (text !== null) setSpoken(({ count }) => ({ text, count: count + 1 }));
    };
    const update = (): void => {
      const { transcript } = feed.store.getState();
      const before = known;
      known = transcript;
      if (transcript === before) return;
      if (transcript.branch !== before.branch) return speech.reset(); // the reader switched there: it was announced before
      const wrong = newFailures(before.marks, transcript.marks);
      if (wrong !== "") setFailed(({ count }) => ({ text: wrong, count: count + 1 }));
      const settled = settledTexts(before, transcript);
      announce(speech.rest(settled, Date.now()));
      if (settled.length > 0 || transcript.partial === null) speech.reset();
      // At an interval: what streams in between is one announcement.
      if (timer === undefined && transcript.partial !== null && transcript.partial !== before.partial) {
        timer = setTimeout(() => {
          timer = undefined;
          announce(speech.next(liveText(feed.store.getState().transcript), false, Date.now()));
        }, pause / 2);
      }
    };
    const unsubscribe = feed.store.subscribe(update);
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [feed]);
  return { spoken, failed };
}

const liveText = ({ partial }: Transcript): string => messageText({ content: partial?.content ?? [] });

/** The answers that have just been completed: with fast tools several come at once. */
function settledTexts(before: Transcript, after: Transcript): string[] {
  // A conversation that was loaded is no answer.
  const answers =
    before.partial !== null ||
    after.partial !== null ||
    after.marks.slice(before.marks.length).some(({ kind }) => kind === "turn");
  if (!answers) return [];
  const fresh = after.messages.slice(before.messages.length);
  return fresh.flatMap((message) => (message.role === "assistant" ? [messageText(message)] : []));
}

function newFailures(before: readonly Mark[], after: readonly Mark[]): string {
  const wrong = after.slice(before.length).flatMap((mark) => failureText(mark) ?? []);
  return wrong.map(({ title, text }) => `${title.replace(/[.!?]$/, "")}. ${text}`).join(" ");
}
