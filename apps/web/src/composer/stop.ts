// Stopping the running turn, or the person's own command: by the button, or by Esc wherever nothing else on the screen wants it.
import { useEffect } from "react";
import { inWords } from "../api/call.ts";
import { useFeed, useFeedState } from "../connection/use-feed.ts";

export function useStop(onProblem: (problem: string) => void): () => void {
  const feed = useFeed();
  const busy = useFeedState(({ session }) => session?.state === "busy" || session?.state === "waiting");
  const shell = useFeedState(({ session }) => session?.job === "bash");
  const stop = (): void => {
    feed.ask({ type: shell ? "abort_bash" : "abort" }).catch((error: unknown) => onProblem(inWords(error)));
  };
  useEffect(() => {
    if (!busy) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
      // Dialogs and menus close on Esc; that must not stop the agent as well.
      if (document.querySelector('[role="dialog"],[role="menu"],[role="listbox"]') !== null) return;
      event.preventDefault();
      stop();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  });
  return stop;
}
