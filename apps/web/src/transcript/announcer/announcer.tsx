// Says to screen readers what the agent says: sentence by sentence while it streams, politely, and not all of it. What
// goes wrong is said at once, and here: rows come and go while somebody scrolls, and would say it every time.
import type { Mark, Transcript } from "@patchbay/protocol";
import { messageText } from "@patchbay/protocol";
import { useEffect, useState } from "react";
import { useFeed } from "../../connection/use-feed.ts";
import { failureWords } from "../marks/failure-text.ts";
import { pause, Speech } from "./speech.ts";

/** `count` makes the same words said twice two announcements. */
interface Said {
  words: string;
  count: number;
}

const nothing: Said = { words: "", count: 0 };

export function Announcer() {
  const { said, failed } = useAnnouncements();
  return (
    <>
      <div aria-live="polite" data-announced className="sr-only">
        <p key={said.count}>{said.words}</p>
      </div>
      <div role="alert" data-alarm className="sr-only">
        <p key={failed.count}>{failed.words}</p>
      </div>
    </>
  );
}

function useAnnouncements(): { said: Said; failed: Said } {
  const feed = useFeed();
  const [said, setSaid] = useState(nothing);
  const [failed, setFailed] = useState(nothing);
  useEffect(() => {
    const speech = new Speech();
    let known = feed.store.getState().transcript;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const say = (words: string | null): void => {
      if (words !== null) setSaid(({ count }) => ({ words, count: count + 1 }));
    };
    const listen = (): void => {
      const { transcript } = feed.store.getState();
      const before = known;
      known = transcript;
      if (transcript === before) return;
      if (transcript.branch !== before.branch) return speech.reset(); // walked there: it was said before
      const wrong = newFailures(before.marks, transcript.marks);
      if (wrong !== "") setFailed(({ count }) => ({ words: wrong, count: count + 1 }));
      const settled = settledTexts(before, transcript);
      say(speech.rest(settled, Date.now()));
      if (settled.length > 0 || transcript.partial === null) speech.reset();
      // Looked at now and then: what is said in between is one announcement.
      if (timer === undefined && transcript.partial !== null && transcript.partial !== before.partial) {
        timer = setTimeout(() => {
          timer = undefined;
          say(speech.next(liveText(feed.store.getState().transcript), false, Date.now()));
        }, pause / 2);
      }
    };
    const deaf = feed.store.subscribe(listen);
    return () => {
      deaf();
      clearTimeout(timer);
    };
  }, [feed]);
  return { said, failed };
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
  const wrong = after.slice(before.length).flatMap((mark) => failureWords(mark) ?? []);
  return wrong.map(({ title, text }) => `${title.replace(/[.!?]$/, "")}. ${text}`).join(" ");
}
