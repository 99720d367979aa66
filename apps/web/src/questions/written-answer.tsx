// A written answer: one line, or a text. Its draft survives a reload.
import type { Question } from "@patchbay/protocol";
import { type KeyboardEvent, type ReactNode, useEffect, useState } from "react";
import { answerDraft, loadDraft, saveDraft } from "../connection/outgoing/drafts.ts";
import { Button } from "../ui/button.tsx";
import { ButtonRow } from "./choices.tsx";
import { textField } from "./question-options.ts";
import { questionsTexts as texts } from "./texts.ts";

interface Props {
  question: Question;
  onAnswer(value: string): void;
  cancel: ReactNode;
}

export function WrittenAnswer({ question, onAnswer, cancel }: Props) {
  const draft = answerDraft(question.id);
  const prefill = textField(question, "prefill") || textField(question, "default");
  const [text, setText] = useState(() => loadDraft(draft) || prefill);
  useEffect(() => saveDraft(draft, text === prefill ? "" : text), [draft, text, prefill]);
  const send = (): void => onAnswer(text); // what was written is kept until the answer has counted
  const long = question.method === "editor";
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    send();
  };
  const shared = {
    value: text,
    "aria-label": question.title ?? texts.yourAnswer,
    placeholder: textField(question, "placeholder"),
    onKeyDown: onKey,
  };
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {long ? (
        <textarea
          {...shared}
          rows={Math.min(12, Math.max(4, text.split("\n").length))}
          onChange={(event) => setText(event.target.value)}
          className="w-full resize-y rounded-md border border-edge bg-canvas px-3 py-2 font-mono text-sm outline-offset-0 phone:text-[1rem]"
        />
      ) : (
        <input
          {...shared}
          onChange={(event) => setText(event.target.value)}
          className="h-9 w-full rounded-md border border-edge bg-canvas px-3 outline-offset-0 phone:h-11 phone:text-[1rem]"
        />
      )}
      <ButtonRow>
        <Button look="primary" type="submit">
          {long ? texts.takeText : texts.answer}
        </Button>
        {cancel}
        {long && (
          <span aria-hidden className="ml-auto self-center text-xs text-faint phone:hidden">
            {texts.textKey}
          </span>
        )}
      </ButtonRow>
    </form>
  );
}
