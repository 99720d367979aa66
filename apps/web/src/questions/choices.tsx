// The answers to choose from. A few short ones are buttons; more, or long ones, are a list that the arrow keys
// move in and typing narrows.
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { Button } from "../ui/button.tsx";
import type { AnswerOption } from "./question-options.ts";
import { questionsTexts as texts } from "./texts.ts";

interface Props {
  label: string;
  options: readonly AnswerOption[];
  /** The value to offer first; none: the first of them. */
  preferred: string;
  onChoose(option: AnswerOption): void;
  cancel: ReactNode;
}

export const ButtonRow = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap gap-2 phone:*:flex-1">{children}</div>
);

/** As many buttons as fit in a line, with labels short enough for one. */
const isShort = (options: readonly AnswerOption[]): boolean =>
  options.length <= 4 && options.every(({ label, description }) => label.length <= 28 && description === "");

/** From here on, finding one by eye takes longer than typing. */
const narrowFrom = 9;

export function Choices({ label, options, preferred, onChoose, cancel }: Props) {
  if (!isShort(options))
    return (
      <ChoiceList label={label} options={options} preferred={preferred} onChoose={onChoose} cancel={cancel} />
    );
  return (
    <ButtonRow>
      {options.map((option) => (
        <Button
          key={option.value}
          look={option.value === preferred ? "primary" : "plain"}
          onClick={() => onChoose(option)}
        >
          {option.label}
        </Button>
      ))}
      {cancel}
    </ButtonRow>
  );
}

function ChoiceList({ label, options, preferred, onChoose, cancel }: Props) {
  const [query, setQuery] = useState("");
  const list = useId();
  const terms = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = options.filter((option) =>
    terms.every((term) => `${option.label} ${option.description}`.toLowerCase().includes(term)),
  );
  const [active, setActive] = useState(() =>
    Math.max(
      0,
      options.findIndex(({ value }) => value === preferred),
    ),
  );
  const at = Math.min(active, Math.max(0, found.length - 1));
  const narrows = options.length >= narrowFrom;
  const onKey = (event: KeyboardEvent): void => {
    const chosen = found[at];
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && found.length > 0) setActive((at + step + found.length) % found.length);
    else if (event.key === "Home" && !narrows) setActive(0);
    else if (event.key === "End" && !narrows) setActive(found.length - 1);
    else if (event.key === "Enter" && chosen !== undefined) onChoose(chosen);
    else return;
    event.preventDefault();
  };
  const activeId = found[at] === undefined ? undefined : `${list}-${at}`;
  return (
    <div className="flex flex-col gap-2">
      {narrows && (
        <input
          role="combobox"
          aria-expanded
          aria-controls={list}
          aria-activedescendant={activeId}
          aria-label={texts.filter(label)}
          placeholder={texts.typeToFilter}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setActive(0);
          }}
          onKeyDown={onKey}
          className="h-8 w-full rounded-md border border-edge bg-canvas px-3 text-sm outline-offset-0 phone:h-11"
        />
      )}
      <div
        id={list}
        role="listbox"
        aria-label={label}
        tabIndex={0}
        aria-activedescendant={activeId}
        onKeyDown={onKey}
        className="max-h-[min(16rem,calc(var(--seen)*0.35))] overflow-y-auto rounded-md border border-edge bg-canvas p-1"
      >
        {found.map((option, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the list has the keys
          <div
            key={option.value}
            id={`${list}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            ref={(element) => {
              if (index === at) element?.scrollIntoView({ block: "nearest" });
            }}
            onPointerMove={() => setActive(index)}
            onClick={() => onChoose(option)}
            className={`flex min-h-8 flex-col justify-center rounded-sm px-2 py-1 text-sm [overflow-wrap:anywhere] phone:min-h-11 ${index === at ? "bg-hover" : ""}`}
          >
            {option.label}
            {option.description !== "" && <span className="text-xs text-faint">{option.description}</span>}
          </div>
        ))}
        {found.length === 0 && <p className="px-2 py-1.5 text-sm text-faint">{texts.noMatches}</p>}
      </div>
      <ButtonRow>{cancel}</ButtonRow>
    </div>
  );
}
