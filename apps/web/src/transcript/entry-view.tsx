// One entry of the transcript: a prompt, an answer, or a mark. Memoised by what it shows; while an
// answer streams, nothing above it is rendered again.
import { Suspense } from "react";
import { lazyPart } from "../ui/lazy-part.ts";
import type { Retry, TranscriptEntry } from "./entries/entries.ts";
import { MarkView } from "./marks/mark-view.tsx";
import { AnswerView } from "./messages/answer-view.tsx";
import { BranchWalk } from "./messages/branch-walk.tsx";
import { PromptView } from "./messages/prompt-view.tsx";

/** Only long conversations have them. Its place is as tall while it is loaded. */
const EvictedAnswer = lazyPart(async () => ({
  default: (await import("./messages/evicted-answer.tsx")).EvictedAnswer,
}));

/** A chunk of its own, with the terminal: few sessions have a person's own commands. */
const SettledCommand = lazyPart(async () => ({
  default: (await import("./messages/person-command.tsx")).SettledCommand,
}));

export function EntryView({ entry, retry }: { entry: TranscriptEntry; retry: Retry | null }) {
  if (entry.kind === "user") return <PromptView message={entry.message} point={entry.point} />;
  if (entry.kind === "command") {
    return (
      <>
        {entry.point !== null && <BranchWalk point={entry.point} />}
        <Suspense>
          <SettledCommand message={entry.message} />
        </Suspense>
      </>
    );
  }
  if (entry.kind === "evicted") {
    return (
      <Suspense fallback={<div style={{ height: entry.height }} />}>
        <EvictedAnswer index={entry.index} height={entry.height} />
      </Suspense>
    );
  }
  if (entry.kind === "mark") return <MarkView mark={entry.mark} retry={retry} />;
  return <AnswerView content={entry.content} live={entry.live} />;
}
