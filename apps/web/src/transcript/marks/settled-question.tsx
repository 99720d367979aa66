// A question that is settled, as one line where it was asked: what, the answer, and who gave it.
import type { Mark } from "@patchbay/protocol";
import { CircleHelp } from "lucide-react";
import { useFeed } from "../../connection/use-feed.ts";

type QuestionMark = Extract<Mark, { kind: "question" }>;

export function SettledQuestion({ mark }: { mark: QuestionMark }) {
  const feed = useFeed();
  return (
    <p data-question={mark.id} className="my-1 flex gap-2 text-sm text-muted">
      <CircleHelp size={15} aria-hidden className="mt-[3px] shrink-0 text-faint" />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {mark.title === "" ? "A question" : mark.title}
        <span className="text-faint"> · </span>
        {mark.answer !== null && (
          <span className="text-ink">{mark.answer === "" ? "an empty answer" : firstLine(mark.answer)}</span>
        )}
        <span className="text-faint">
          {mark.answer === null ? "" : " · "}
          {ending(mark, feed.hasAnswered(mark.id))}
        </span>
      </span>
    </p>
  );
}

function ending({ by, answer }: QuestionMark, here: boolean): string {
  if (by === "timeout") return "time was up";
  if (by === "worker_exit") return "withdrawn, the worker ended";
  if (by === "withdrawn") return "withdrawn";
  if (by === "refused") return "too long to be shown";
  const verb = answer === null ? "dismissed" : "answered";
  return here ? `${verb} here` : `${verb} on another screen`;
}

/** An answer written in the editor may be a page long. */
function firstLine(text: string): string {
  const line = text.trim().split("\n")[0] ?? "";
  return line.length < text.trim().length || line.length > 160 ? `${line.slice(0, 160)}…` : line;
}
