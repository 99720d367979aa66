// A denial with a reason, which the agent then reads. The draft of the reason survives a reload.
import { useEffect, useState } from "react";
import { answerDraft, loadDraft, saveDraft } from "../../connection/outgoing/drafts.ts";
import { Button } from "../../ui/button.tsx";
import { ButtonRow } from "../choices.tsx";
import type { AnswerOption } from "../question-options.ts";
import { questionsTexts as texts } from "../texts.ts";

interface Props {
  /** The question's id. */
  question: string;
  denial: AnswerOption;
  onAnswer(answer: { value: string; reason?: string }): void;
  onBack(): void;
}

export function Denial({ question, denial, onAnswer, onBack }: Props) {
  const draft = answerDraft(question);
  const [reason, setReason] = useState(() => loadDraft(draft));
  useEffect(() => saveDraft(draft, reason), [draft, reason]);
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        const why = reason.trim();
        onAnswer(why === "" ? { value: denial.value } : { value: denial.value, reason: why });
      }}
    >
      <input
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has just asked for this field
        autoFocus
        aria-label={texts.reason}
        placeholder={texts.reasonHint}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          onBack();
        }}
        className="h-9 w-full rounded-md border border-edge bg-canvas px-3 outline-offset-0 phone:h-11 phone:text-[1rem]"
      />
      <ButtonRow>
        <Button look="danger" type="submit">
          {texts.deny}
        </Button>
        <Button look="quiet" onClick={onBack}>
          {texts.back}
        </Button>
      </ButtonRow>
    </form>
  );
}
