// An approval: which tool wants to do what, all of it, and the answers with their keys. What is cut must be shown before it can be
// allowed. A chunk of its own: most sessions ask for nothing.
import { type Question, readApproval } from "@patchbay/protocol";
import { type RefObject, useEffect, useState } from "react";
import { answerDraft, loadDraft } from "../../connection/outgoing/drafts.ts";
import type { QuestionAnswer } from "../../connection/outgoing/pending-answers.ts";
import { Button } from "../../ui/button.tsx";
import { ButtonRow } from "../choices.tsx";
import { questionsTexts as texts } from "../texts.ts";
import { AlwaysPicker } from "./always-picker.tsx";
import { approvalAnswers } from "./approval-answers.ts";
import { ApprovalPreview } from "./approval-preview.tsx";
import { isTooSoon } from "./card-focus.ts";
import { Denial } from "./denial.tsx";
import { isCut, previewOf } from "./preview.ts";

interface Props {
  question: Question;
  cwd: string;
  /** Why this person may only deny; null: they may allow. */
  refusal: string | null;
  /** The card, which has the keys. */
  card: RefObject<HTMLElement | null>;
  onAnswer(answer: QuestionAnswer): void;
}

type Step = "choose" | "always" | "reason";

export default function ApprovalBody({ question, cwd, refusal, card, onAnswer }: Props) {
  const answers = approvalAnswers(question);
  const { deny } = answers;
  const allow = refusal === null ? answers.allow : null;
  const others = refusal === null ? answers.others : [];
  const approval = refusal === null ? readApproval(question) : null;
  const preview = previewOf(question);
  const [isExpanded, setExpanded] = useState(false);
  const isShown = isExpanded || !isCut(preview);
  // A reason that was being written is shown again.
  const [step, setStep] = useState<Step>(() =>
    deny !== null && loadDraft(answerDraft(question.id)) !== "" ? "reason" : "choose",
  );
  const allowOnce = (): void => {
    if (!isShown) setExpanded(true);
    else if (allow !== null) onAnswer({ value: allow.value });
  };
  const always = (): void => {
    if (!isShown) setExpanded(true);
    else if (approval !== null) setStep("always");
  };
  const refuse = (): void => {
    if (deny !== null) onAnswer({ value: deny.value });
  };
  useEffect(() => {
    const element = card.current;
    const onKey = (event: KeyboardEvent): void => {
      const { target, key, ctrlKey, metaKey, altKey, repeat } = event;
      if (ctrlKey || metaKey || altKey || repeat || event.defaultPrevented || step !== "choose") return;
      if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return;
      const action = { y: allowOnce, a: always, n: refuse }[key.toLowerCase()];
      if (action === undefined) return;
      event.preventDefault();
      if (!isTooSoon()) action();
    };
    element?.addEventListener("keydown", onKey);
    return () => element?.removeEventListener("keydown", onKey);
  });
  return (
    <>
      {/* What scrolls must scroll with the keyboard */}
      <div
        tabIndex={0}
        role="group"
        aria-label={texts.details}
        className="min-h-10 shrink-[100] overflow-y-auto px-3.5"
      >
        <ApprovalPreview preview={preview} isShown={isShown} onShow={() => setExpanded(true)} />
      </div>
      {/* Above a keyboard there may be room for a part of the answers only */}
      <div data-answers="keys" className="min-h-0 overflow-y-auto px-3.5 pt-3 pb-3">
        {step === "reason" && deny !== null ? (
          <Denial question={question.id} denial={deny} onAnswer={onAnswer} onBack={() => setStep("choose")} />
        ) : step === "always" && approval !== null ? (
          <AlwaysPicker
            approval={approval}
            cwd={cwd}
            others={others}
            onAnswer={onAnswer}
            onBack={() => {
              setStep("choose");
              card.current?.focus();
            }}
          />
        ) : (
          <ButtonRow>
            {allow !== null && (
              <Button look="primary" disabled={!isShown} onClick={allowOnce}>
                {allow.kind === "allow_once" ? texts.allowOnce : allow.label}
                <Key letter="Y" />
              </Button>
            )}
            {approval === null ? (
              others.map((option) => (
                <Button
                  key={option.value}
                  look="plain"
                  disabled={!isShown}
                  onClick={() => onAnswer({ value: option.value })}
                >
                  {option.label}
                </Button>
              ))
            ) : (
              <Button look="plain" disabled={!isShown} onClick={always}>
                {texts.always}
                <Key letter="A" />
              </Button>
            )}
            {deny !== null && (
              <>
                <Button look="danger" onClick={refuse}>
                  {deny.kind.startsWith("reject") ? texts.deny : deny.label}
                  <Key letter="N" />
                </Button>
                <Button look="quiet" onClick={() => setStep("reason")}>
                  {texts.giveReason}
                </Button>
              </>
            )}
            {refusal !== null && <p className="basis-full text-xs text-muted">{refusal}</p>}
            {!isShown && <p className="basis-full text-xs text-muted">{texts.readFirst}</p>}
          </ButtonRow>
        )}
      </div>
    </>
  );
}

const Key = ({ letter }: { letter: string }) => (
  <kbd aria-hidden className="font-mono text-2xs opacity-60 phone:hidden pointer-coarse:hidden">
    {letter}
  </kbd>
);
