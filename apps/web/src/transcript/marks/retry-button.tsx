// Sends the prompt of a turn that was cut short once more, as a new prompt: what the agent did before
// the cut stays in the transcript, because it may have changed files.
import { RotateCw } from "lucide-react";
import { useFeed, useFeedState } from "../../connection/use-feed.ts";
import type { Retry } from "../entries/entries.ts";
import { marksTexts as texts } from "./texts.ts";

export function RetryButton({ prompt }: { prompt: Retry }) {
  const feed = useFeed();
  // Between the click and the turn it starts, a second click would ask a second time.
  const underWay = useFeedState(
    ({ sending, session }) =>
      sending.length > 0 || session?.state === "starting" || session?.job === "prompt",
  );
  return (
    <button
      type="button"
      disabled={underWay}
      title={texts.retryTitle}
      onClick={() => feed.prompt(prompt.message, prompt.images)}
      className="flex h-7 shrink-0 items-center gap-1.5 rounded-md border border-edge bg-raised px-2.5 text-xs text-ink hover:bg-hover disabled:opacity-50 phone:h-11 phone:px-4"
    >
      <RotateCw size={13} aria-hidden className="text-accent" /> {texts.retry}
    </button>
  );
}
