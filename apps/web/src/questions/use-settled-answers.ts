// What became of the answers that were sent from here: the draft of a settled one is deleted, and one that came too
// late is reported.
import { useEffect } from "react";
import { answerDraft, saveDraft } from "../connection/outgoing/drafts.ts";
import type { SettledAnswer } from "../connection/outgoing/pending-answers.ts";
import { useFeed } from "../connection/use-feed.ts";
import { showProblem } from "../ui/feedback/problem.ts";
import { questionsTexts as texts } from "./texts.ts";

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
  if (by === "timeout") return texts.tooLateTimeout;
  if (by === "worker_exit") return texts.tooLateExit;
  if (by === "refused") return texts.tooLong;
  if (by === "withdrawn") return texts.tooLateWithdrawn;
  if (by === "permission") return texts.allowedByPermission;
  if (answer === null) return texts.dismissedFirst;
  return texts.answeredFirst(answer.length > 80 ? `${answer.slice(0, 80)}…` : answer);
}
