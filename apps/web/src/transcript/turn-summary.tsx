// The line that ends a turn: calls, time, tokens, dollars, and how it ended when that was not the plain way.
import { Fragment } from "react";
import { Link } from "wouter";
import type { Retry } from "./entries.ts";
import { Failure } from "./failure.tsx";
import { RetryButton } from "./retry-button.tsx";
import { type TurnMark, turnFacts } from "./turn-facts.ts";

const endings: Readonly<Record<TurnMark["stop"], string | null>> = {
  end: null,
  end_turn: null,
  tool_use: null,
  aborted: "stopped",
  length: "cut off at the model's output limit",
  error: "failed",
  interrupted: "interrupted",
};

const isRefusedKey = (error: string): boolean =>
  /\bhttp 401\b|invalid[ _-]?(?:x-)?api[ _-]?key|authentication_error/i.test(error);

const KeyAdvice = () => (
  <p className="mt-1.5 text-ink">
    The provider did not accept the key.{" "}
    <Link href="/setup" className="text-accent underline underline-offset-2">
      Agents and models
    </Link>{" "}
    says where keys go.
  </p>
);

interface Props {
  mark: TurnMark;
  retry: Retry | null;
}

export function TurnSummary({ mark, retry }: Props) {
  const ending = endings[mark.stop];
  const facts = [ending ?? "turn", ...turnFacts(mark)];
  return (
    <>
      {mark.error !== null && (
        <Failure title="The turn ended with an error">
          {mark.error}
          {isRefusedKey(mark.error) && <KeyAdvice />}
        </Failure>
      )}
      <div
        data-turn={mark.stop}
        className="mt-2 mb-1 flex items-center gap-3 text-xs text-faint tabular-nums"
      >
        <span aria-hidden className="h-px w-4 shrink-0 bg-line" />
        <span className="min-w-0">
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
        </span>
        <span aria-hidden className="h-px min-w-4 flex-1 bg-line" />
        {retry !== null && <RetryButton prompt={retry} />}
      </div>
    </>
  );
}
