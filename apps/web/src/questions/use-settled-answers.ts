// What became of the answers that were sent from here: the draft of a settled one is deleted, and one that came too
// late is reported.
import { useEffect } from "react";
import { answerDraft, saveDraft } from "../connection/outgoing/drafts.ts";
import type { SettledAnswer } from "../connection/outgoing/pending-answers.ts";
import { useFeed } from "../connection/use-feed.ts";
import { showProblem } from "../ui/feedback/problem.ts";

export function useSettledAnswers(): void {
  const feed = useFeed();
  useEffect(() => {
    const take = (): void => {
      for (const { id, supersededBy } of feed.takeSettled()) {
        saveDraft(answerDraft(id), "");
        if (supersededBy !== null) showProblem(tooLate(supersededBy));
      }
    };
    take();
    return feed.store.subscribe(take);
  }, [feed]);
}

function tooLate({ by, answer }: NonNullable<SettledAnswer["supersededBy"]>): string {
  if (by === "timeout") return "Your answer came too late: the time was up.";
  if (by === "worker_exit") return "Your answer came too late: the worker has ended.";
  if (by === "refused") return "The question was too long to be shown.";
  if (by === "withdrawn") return "Your answer came too late: the question was withdrawn.";
  if (answer === null) return "Somebody else was first, and dismissed the question.";
  return `Somebody else was first, with “${answer.length > 80 ? `${answer.slice(0, 80)}…` : answer}”.`;
}
