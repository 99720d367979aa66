// What became of the answers that were given here: one that counted needs no words any more, of one that came too
// late its person is told.
import { useEffect } from "react";
import { answerDraft, saveDraft } from "../connection/outgoing/draft.ts";
import type { SettledAnswer } from "../connection/outgoing/given-answers.ts";
import { useFeed } from "../connection/use-feed.ts";
import { complain } from "../ui/feedback/problem.ts";

export function useSettledAnswers(): void {
  const feed = useFeed();
  useEffect(() => {
    const take = (): void => {
      for (const { id, otherwise } of feed.takeSettled()) {
        saveDraft(answerDraft(id), "");
        if (otherwise !== null) complain(tooLate(otherwise));
      }
    };
    take();
    return feed.store.subscribe(take);
  }, [feed]);
}

function tooLate({ by, answer }: NonNullable<SettledAnswer["otherwise"]>): string {
  if (by === "timeout") return "Your answer came too late: the time was up.";
  if (by === "worker_exit") return "Your answer came too late: the worker has ended.";
  if (by === "refused") return "The question was too long to be shown.";
  if (by === "withdrawn") return "Your answer came too late: the question was withdrawn.";
  if (answer === null) return "Somebody else was first, and dismissed the question.";
  return `Somebody else was first, with “${answer.length > 80 ? `${answer.slice(0, 80)}…` : answer}”.`;
}
