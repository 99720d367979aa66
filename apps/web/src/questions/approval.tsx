// An approval: which tool wants to do what, shown as it would happen, and the answers. A denial may say why,
// which the agent then reads.
import type { Question } from "@patchbay/protocol";
import { lazy, Suspense, useEffect, useState } from "react";
import { answerDraft, loadDraft, saveDraft } from "../connection/outgoing/drafts.ts";
import { Button } from "../ui/button.tsx";
import { ButtonRow } from "./choices.tsx";
import type { AnswerOption } from "./question-options.ts";

/** A chunk of its own, with the library that compares: most sessions ask for nothing. */
const Preview = lazy(() => import("./approval-preview.tsx"));

export const ApprovalPreview = ({ question }: { question: Question }) => (
  <Suspense fallback={<div className="mt-2 h-24 rounded-md border border-line bg-sunken" />}>
    <Preview question={question} />
  </Suspense>
);

const isDenial = ({ label, value }: AnswerOption): boolean =>
  /^(deny|reject)/i.test(value) || /^(deny|reject)/i.test(label);

interface Props {
  question: Question;
  options: readonly AnswerOption[];
  onAnswer(answer: { value: string; reason?: string }): void;
}

export function ApprovalAnswers({ question, options, onAnswer }: Props) {
  const draft = answerDraft(question.id);
  // A reason that was being written is shown again.
  const [denial, setDenial] = useState<AnswerOption | null>(() =>
    loadDraft(draft) === "" ? null : (options.find(isDenial) ?? null),
  );
  if (denial !== null)
    return <Denial draft={draft} denial={denial} onAnswer={onAnswer} onBack={() => setDenial(null)} />;
  return (
    <ButtonRow>
      {options.map((option, index) => (
        <Button
          key={option.value}
          look={isDenial(option) ? "danger" : index === 0 ? "primary" : "plain"}
          onClick={() => (isDenial(option) ? setDenial(option) : onAnswer({ value: option.value }))}
        >
          {option.label}
        </Button>
      ))}
    </ButtonRow>
  );
}

interface DenialProps {
  draft: string;
  denial: AnswerOption;
  onAnswer: Props["onAnswer"];
  onBack(): void;
}

function Denial({ draft, denial, onAnswer, onBack }: DenialProps) {
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
        aria-label="Why not? The agent reads this"
        placeholder="Why not, and what instead? The agent reads this. May stay empty."
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
          {denial.label}
        </Button>
        <Button look="quiet" onClick={onBack}>
          Back
        </Button>
      </ButtonRow>
    </form>
  );
}
