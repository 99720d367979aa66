// A model call that failed in a way that may pass. While it waits, the time is counted down and the wait
// can be ended; afterwards it is one line.
import type { Mark } from "@patchbay/protocol";
import { RotateCw } from "lucide-react";
import { useState } from "react";
import { useFeed, useFeedState } from "../../connection/use-feed.ts";
import { useElapsed } from "../../device/use-elapsed.ts";
import { errorMessage } from "../../format/error-message.ts";
import { formatDuration } from "../../format/time.ts";
import { marksTexts as texts } from "./texts.ts";

type RetryMark = Extract<Mark, { kind: "retry" }>;

export function RetryMarkView({ mark }: { mark: RetryMark }) {
  const working = useFeedState((feed) => feed.transcript.partial !== null);
  const waits = mark.outcome === "waiting" && working;
  return (
    <div
      data-retry={waits ? "waiting" : mark.outcome}
      className={`my-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm ${waits ? "rounded-md border border-edge bg-raised py-1.5 pr-1.5 pl-3" : "text-muted"}`}
    >
      <RotateCw size={14} aria-hidden className={`shrink-0 ${waits ? "text-working" : "text-faint"}`} />
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        {mark.error}
        <span className="text-faint">
          {" · "}
          {waits ? texts.attempt(mark.attempt, mark.max_attempts) : outcomeText(mark)}
        </span>
      </span>
      {waits && <Countdown key={mark.attempt} delay={leftOf(mark)} />}
    </div>
  );
}

/** The time that is left when the page is opened later; never more than all of it, whatever the clock of the browser. */
function leftOf({ delay_ms, time }: RetryMark): number {
  const passed = time === undefined ? 0 : Date.now() - new Date(time).getTime();
  return Number.isNaN(passed) ? delay_ms : Math.min(delay_ms, Math.max(0, delay_ms - passed));
}

function outcomeText({ outcome, attempt }: RetryMark): string {
  return outcome === "succeeded" ? texts.retryWorked(attempt) : texts.retriesFailed(attempt);
}

function Countdown({ delay: given }: { delay: number }) {
  const feed = useFeed();
  const [delay] = useState(given); // counted from when it is first shown
  const elapsed = useElapsed(true);
  const [problem, setProblem] = useState<string | null>(null);
  const left = Math.max(0, Math.ceil((delay - elapsed) / 1_000));
  const stop = (): void => {
    feed.ask({ type: "abort_retry" }).catch((error: unknown) => setProblem(errorMessage(error)));
  };
  return (
    <>
      <span role="timer" className="shrink-0 text-xs text-muted tabular-nums">
        {left > 0 ? texts.retryIn(formatDuration(left * 1_000)) : texts.retrying}
      </span>
      <button
        type="button"
        onClick={stop}
        className="h-7 shrink-0 rounded-md border border-edge px-2.5 text-ink hover:bg-hover phone:h-11 phone:px-4"
      >
        {texts.stopRetrying}
      </button>
      {problem !== null && (
        <span role="alert" className="basis-full text-xs text-failed">
          {problem}
        </span>
      )}
    </>
  );
}
