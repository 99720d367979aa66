// Stopping the running turn, or the person's own command: by the button, or by Esc wherever nothing else on the
// screen wants it. Says when it has stopped: an abort is only over when the agent is.
import { useEffect, useLayoutEffect, useState } from "react";
import { isAtWork } from "../connection/is-at-work.ts";
import { activeSession } from "../connection/open-feeds.ts";
import { useFeed, useFeedState } from "../connection/use-feed.ts";
import { errorMessage } from "../format/error-message.ts";
import { stopCommand } from "../session-actions/stop-command.ts";

export type StopPhase = "none" | "stopping" | "stopped";

/** Long enough to be noticed by a person who reads what was written meanwhile. */
const shownMs = 4_000;

/** Dialogs and menus close on Esc; that must not stop the agent as well. A question stays, whatever it is chosen from. */
const closesOnEsc = '[role="dialog"],[role="menu"],[role="listbox"]:not([data-question-card] *)';

export function useStop(onProblem: (problem: string) => void): { stop(): void; phase: StopPhase } {
  const feed = useFeed();
  const busy = useFeedState(({ session }) => session !== null && isAtWork(session));
  const job = useFeedState(({ session }) => session?.job ?? null);
  const turn = useFeedState(({ transcript }) => transcript.marks.findLast(({ kind }) => kind === "turn"));
  // The newest turn that was over when it was asked to stop; undefined: there was none.
  const [asked, setAsked] = useState<{ turn: typeof turn } | null>(null);
  const over = asked !== null && (!busy || turn !== asked.turn);
  const stop = (): void => {
    setAsked({ turn });
    feed.ask(stopCommand({ job })).catch((error: unknown) => {
      setAsked(null);
      onProblem(errorMessage(error));
    });
  };
  useEffect(() => {
    if (!over) return;
    const timer = setTimeout(() => setAsked(null), shownMs);
    return () => clearTimeout(timer);
  }, [over]);
  // Before the button is painted: once it is visible a person may press Esc.
  useLayoutEffect(() => {
    if (!busy) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
      // Of two sessions side by side only the active one.
      if (activeSession() !== feed.id) return;
      if (document.querySelector(closesOnEsc) !== null) return;
      event.preventDefault();
      stop();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  });
  return { stop, phase: asked === null ? "none" : over ? "stopped" : "stopping" };
}
