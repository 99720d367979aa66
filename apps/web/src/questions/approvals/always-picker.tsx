// How far "always" reaches: what is allowed, and where. The server takes the rest from the question.
import { type Approval, type PermissionWhat, type Remember, rememberable } from "@patchbay/protocol";
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import type { QuestionAnswer } from "../../connection/outgoing/pending-answers.ts";
import { Button } from "../../ui/button.tsx";
import { ButtonRow } from "../choices.tsx";
import type { AnswerOption } from "../question-options.ts";
import { questionsTexts as texts } from "../texts.ts";

interface Props {
  approval: Approval;
  cwd: string;
  /** What the agent itself offers beyond this call. */
  others: readonly AnswerOption[];
  onAnswer(answer: QuestionAnswer): void;
  onBack(): void;
}

export function AlwaysPicker({ approval, cwd, others, onAnswer, onBack }: Props) {
  const { what: possible, prefixes } = rememberable(approval);
  const [what, setWhat] = useState<PermissionWhat>(possible[0] ?? "tool");
  const [where, setWhere] = useState<Remember["where"]>("session");
  // `npm test` rather than all of npm.
  const [length, setLength] = useState(Math.min(2, prefixes.length));
  const prefix = prefixes[length - 1] ?? [];
  const submit = (): void =>
    onAnswer({
      value: approval.allow,
      remember: { what, where, ...(what === "prefix" ? { prefix } : {}) },
    });
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === "Escape") onBack();
    else if (event.key === "Enter" || event.key === "a") submit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const labels: Readonly<Record<PermissionWhat, ReactNode>> = {
    command: texts.thisCommand,
    prefix: (
      <>
        {texts.commandsBeginning}{" "}
        <select
          aria-label={texts.firstWords}
          value={length}
          onChange={(event) => {
            setLength(Number(event.target.value));
            setWhat("prefix");
          }}
          className="h-7 max-w-full rounded-md border border-edge bg-canvas px-1.5 font-mono text-xs phone:h-11 phone:text-[1rem]"
        >
          {prefixes.map((words, at) => (
            <option key={at} value={at + 1}>
              {words.join(" ")}
            </option>
          ))}
        </select>
        <span className="block text-xs text-muted">{texts.beginsWithHint}</span>
      </>
    ),
    tool: texts.thisTool(approval.tool),
    all: texts.anyTool,
  };
  return (
    <form
      className="flex flex-col gap-3 text-sm"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Radios<PermissionWhat>
        legend={texts.whatLabel}
        value={what}
        choices={possible.map((value) => ({ value, label: labels[value] }))}
        onChoose={setWhat}
        onKey={onKey}
        first
      />
      <Radios<Remember["where"]>
        legend={texts.whereLabel}
        value={where}
        choices={[
          { value: "session", label: texts.thisSession },
          { value: "directory", label: texts.thisDirectory(cwd) },
        ]}
        onChoose={setWhere}
        onKey={onKey}
      />
      <ButtonRow>
        <Button look="primary" type="submit">
          {texts.alwaysAllow}
        </Button>
        <Button look="quiet" onClick={onBack}>
          {texts.back}
        </Button>
      </ButtonRow>
      <p className="text-xs text-muted">{texts.revocable}</p>
      {others.length > 0 && (
        <div className="flex flex-wrap items-center gap-2 text-xs text-muted">
          {texts.agentsOwn}
          {others.map((option) => (
            <Button key={option.value} look="plain" onClick={() => onAnswer({ value: option.value })}>
              {option.label}
            </Button>
          ))}
        </div>
      )}
    </form>
  );
}

interface RadiosProps<Value extends string> {
  legend: string;
  value: Value;
  choices: readonly { value: Value; label: ReactNode }[];
  onChoose(value: Value): void;
  onKey(event: KeyboardEvent): void;
  /** It gets the focus. */
  first?: boolean;
}

function Radios<Value extends string>({
  legend,
  value,
  choices,
  onChoose,
  onKey,
  first = false,
}: RadiosProps<Value>) {
  const name = useId();
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-xs font-medium text-muted">{legend}</legend>
      {choices.map((choice) => (
        <label
          key={choice.value}
          className="flex min-h-7 items-start gap-2 py-1 phone:min-h-11 phone:items-center"
        >
          <input
            type="radio"
            name={name}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has just asked for these choices
            autoFocus={first && choice.value === value}
            checked={choice.value === value}
            onChange={() => onChoose(choice.value)}
            onKeyDown={onKey}
            className="mt-1 size-3.5 shrink-0 accent-accent phone:mt-0 phone:size-5"
          />
          <span className="min-w-0 [overflow-wrap:anywhere]">{choice.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
