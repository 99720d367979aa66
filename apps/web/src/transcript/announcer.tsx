// Says to screen readers what the agent says: sentence by sentence while it streams, politely, and not all of it.
import type { Transcript } from "@patchbay/protocol";
import { messageText } from "@patchbay/protocol";
import { useEffect, useState } from "react";
import { useFeed } from "../connection/use-feed.ts";
import { pause, Speech } from "./speech.ts";

export function Announcer() {
  const words = useAnnouncement();
  return (
    <div aria-live="polite" data-announced className="sr-only">
      {words}
    </div>
  );
}

function useAnnouncement(): string {
  const feed = useFeed();
  const [words, setWords] = useState("");
  useEffect(() => {
    const speech = new Speech();
    let known = feed.store.getState().transcript;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const say = (text: string, over: boolean): void => {
      const next = speech.next(text, over, Date.now());
      if (next !== null) setWords(next);
    };
    const listen = (): void => {
      const { transcript } = feed.store.getState();
      const before = known;
      known = transcript;
      const settled = settledText(before, transcript);
      if (settled !== null) {
        say(settled, true);
        speech.reset();
      }
      // Looked at now and then: what is said in between is one announcement.
      else if (timer === undefined && transcript.partial !== before.partial) {
        timer = setTimeout(() => {
          timer = undefined;
          const text = liveText(feed.store.getState().transcript);
          if (text !== "") say(text, false);
        }, pause / 2);
      }
    };
    const deaf = feed.store.subscribe(listen);
    return () => {
      deaf();
      clearTimeout(timer);
    };
  }, [feed]);
  return words;
}

const liveText = ({ partial }: Transcript): string => messageText({ content: partial?.content ?? [] });

/** The answer that has just been completed; null when none has. */
function settledText(before: Transcript, after: Transcript): string | null {
  if (after.messages.length !== before.messages.length + 1 || before.partial === null) return null;
  const last = after.messages.at(-1);
  return last?.role === "assistant" ? messageText(last) : null;
}
