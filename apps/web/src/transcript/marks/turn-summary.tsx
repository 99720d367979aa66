// The line that ends a turn: calls, time, tokens, dollars, and how it ended when that was not the plain way.
import { Fragment } from "react";
import { Link } from "wouter";
import { TurnChangesLink } from "../changes/turn-changes-link.tsx";
import type { Retry } from "../entries/entries.ts";
import { FailureBox } from "./failure-box.tsx";
import { failureText } from "./failure-text.ts";
import { RetryButton } from "./retry-button.tsx";
import { marksTexts as texts } from "./texts.ts";
import { type TurnMark, turnCost, turnFacts } from "./turn-facts.ts";

/** Null: the plain way. */
function endingOf(stop: TurnMark["stop"]): string | null {
  if (stop === "aborted") return texts.stopped;
  if (stop === "length") return texts.outputLimit;
  if (stop === "error") return texts.failed;
  return stop === "interrupted" ? texts.interrupted : null;
}

const isRefusedKey = (error: string): boolean =>
  /\bhttp 401\b|invalid[ _-]?(?:x-)?api[ _-]?key|authentication_error/i.test(error);

const KeyAdvice = () => (
  <p className="mt-1.5 text-ink">
    {texts.keyRefused}
    <Link href="/setup" className="text-accent underline underline-offset-2">
      {texts.agentsAndModels}
    </Link>
    .
  </p>
);

interface Props {
  mark: TurnMark;
  retry: Retry | null;
}

export function TurnSummary({ mark, retry }: Props) {
  const failure = failureText(mark);
  const again = retry !== null && <RetryButton prompt={retry} />;
  return (
    <>
      {failure !== null && (
        <FailureBox title={failure.title} action={again}>
          {failure.text}
          {isRefusedKey(failure.text) && <KeyAdvice />}
        </FailureBox>
      )}
      <TurnChangesLink mark={mark} />
      <TurnLine mark={mark} />
      {failure === null && again !== false && <div className="mt-2 flex">{again}</div>}
    </>
  );
}

/** In a narrow pane the hairline stands above it, and the cost at its end has a place of its own. */
function TurnLine({ mark }: { mark: TurnMark }) {
  const ending = endingOf(mark.stop);
  const facts = [ending ?? texts.turn, ...turnFacts(mark)];
  const cost = turnCost(mark);
  const hairline = "hidden h-px shrink-0 bg-line @xl:block";
  return (
    <div className="@container mt-2 mb-1">
      <div
        data-turn={mark.stop}
        className="flex items-baseline gap-3 border-t border-line pt-1.5 text-xs text-faint tabular-nums @xl:items-center @xl:border-t-0 @xl:pt-0"
      >
        <span aria-hidden className={`${hairline} w-4`} />
        <span className="min-w-0 flex-1 text-pretty @xl:flex-none">
          {facts.map((fact, at) => (
            // The facts of a finished turn never change; their dots stay with the line they end
            <Fragment key={at}>
              {at > 0 && " "}
              <span className="whitespace-nowrap">
                <span className={at === 0 && ending !== null ? "whitespace-normal text-muted" : ""}>
                  {fact}
                </span>
                {at < facts.length - 1 && " ·"}
              </span>
            </Fragment>
          ))}
          {cost !== null && <span className="hidden @xl:inline"> · </span>}
        </span>
        {cost !== null && <span className="shrink-0 @xl:-ml-2">{cost}</span>}
        <span aria-hidden className={`${hairline} min-w-4 flex-1`} />
      </div>
    </div>
  );
}
