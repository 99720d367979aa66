// What is shown between messages: the end of a turn, an error, a compaction, the exit of a worker.
import type { Mark } from "@patchbay/protocol";
import { ChevronRight } from "lucide-react";
import { memo, type ReactNode, Suspense, useState } from "react";
import { lazyPart } from "../../ui/lazy-part.ts";
import type { Retry } from "../entries/entries.ts";
import { AnswerView } from "../messages/answer-view.tsx";
import { Text } from "../messages/text.tsx";
import { FailureBox } from "./failure-box.tsx";
import { failureText } from "./failure-text.ts";
import { NoticeView } from "./notice-view.tsx";
import { RetryButton } from "./retry-button.tsx";
import { SettledQuestion } from "./settled-question.tsx";
import { marksTexts as texts } from "./texts.ts";
import { TurnSummary } from "./turn-summary.tsx";

// Most transcripts have none.
const RetryMarkView = lazyPart(async () => ({ default: (await import("./retry-mark.tsx")).RetryMarkView }));

interface MarkProps {
  mark: Mark;
  retry: Retry | null;
}

export const MarkView = memo(function MarkView({ mark, retry }: MarkProps) {
  switch (mark.kind) {
    case "turn":
      return <TurnSummary mark={mark} retry={retry} />;
    case "unkept":
      return (
        <div className="my-1 border-l border-edge pl-3">
          <AnswerView content={mark.content} live={false} />
          <p className="text-xs text-faint">{texts.unkept}</p>
        </div>
      );
    case "error":
      return <MarkFailure mark={mark} />;
    case "compaction":
      return <Compaction summary={mark.summary} kept={mark.kept} />;
    case "notice":
      return <NoticeView source={mark.source} level={mark.level} text={mark.text} count={mark.count ?? 1} />;
    case "question":
      return <SettledQuestion mark={mark} />;
    case "retry":
      return (
        <Suspense>
          <RetryMarkView mark={mark} />
        </Suspense>
      );
    case "worker_exit":
      return (
        <MarkFailure mark={mark} time={mark.time} retry={retry}>
          {mark.stderr.trim() !== "" && <StandardError text={mark.stderr} />}
        </MarkFailure>
      );
  }
});

interface FailureProps {
  mark: Mark;
  time?: string;
  retry?: Retry | null;
  children?: ReactNode;
}

function MarkFailure({ mark, time, retry = null, children }: FailureProps) {
  const failure = failureText(mark);
  if (failure === null) return null;
  return (
    <FailureBox
      title={failure.title}
      {...(time === undefined ? {} : { time })}
      action={retry !== null && <RetryButton prompt={retry} />}
    >
      {failure.text}
      {children}
    </FailureBox>
  );
}

const StandardError = ({ text }: { text: string }) => (
  <pre
    // What scrolls must scroll with the keyboard
    tabIndex={0}
    role="group"
    aria-label={texts.errorOutput}
    className="mt-2 max-h-60 overflow-auto rounded-sm border border-line bg-sunken px-3 py-2 font-mono text-xs leading-5 whitespace-pre-wrap text-ink"
  >
    {text.trimEnd()}
  </pre>
);

function Compaction({ summary, kept }: { summary: string; kept: number }) {
  const [open, setOpen] = useState(false);
  return (
    <div className="my-3">
      <div className="flex items-center gap-3">
        <span aria-hidden className="h-px w-4 bg-line" />
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex items-center gap-1.5 rounded-sm text-left text-xs text-muted hover:text-ink phone:min-h-11"
        >
          <ChevronRight size={13} aria-hidden className={`transition-transform ${open ? "rotate-90" : ""}`} />
          {texts.compacted(kept)}
        </button>
        <span aria-hidden className="h-px flex-1 bg-line" />
      </div>
      {open && (
        <div className="mt-2 rounded-md border border-line bg-raised px-4 py-3">
          <Text text={summary} live={false} />
        </div>
      )}
    </div>
  );
}
