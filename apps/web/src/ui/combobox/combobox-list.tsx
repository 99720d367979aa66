// The list of a combobox, loaded when one is first opened. The focus stays in the field; the arrow keys move the
// active option, as the ARIA combobox pattern has it.
import { Check } from "lucide-react";
import { Popover } from "radix-ui";
import { Fragment, type KeyboardEvent, useEffect, useId, useState } from "react";
import { uiTexts } from "../texts.ts";
import { ComboboxButton, comboboxLook } from "./combobox-button.tsx";

export interface ComboboxOption {
  value: string;
  label: string;
  detail: string;
  /** Options of a group stand together, below its name. */
  group?: string;
  /** What it is also found by. */
  keywords?: string;
}

export interface ComboboxProps {
  label: string;
  options: readonly ComboboxOption[];
  value: string;
  onChoose(value: string): void;
  onOpen?: () => void;
  /** What the list shows when it is empty and nothing was typed. */
  empty: string;
  look: "field" | "inline";
  id?: string;
  /** Below the list: what the details mean. */
  note?: string;
  /** What the button says: the choice as it stands. */
  shown: string;
}

/** More than a person reads; typing narrows the rest. */
const listed = 400;

export default function ComboboxList(props: ComboboxProps) {
  const { label, options, value, onChoose, onOpen, empty, note, look, id, shown } = props;
  const chosen = Math.max(
    0,
    options.slice(0, listed).findIndex((option) => option.value === value),
  );
  // It is rendered because the button was just pressed.
  const [open, setOpen] = useState(true);
  const [query, setQuery] = useState("");
  /** Null: the current choice, wherever it is in a list that may still be loading. Enter then changes nothing. */
  const [moved, setActive] = useState<number | null>(null);
  const [opened] = useState(() => onOpen);
  useEffect(() => opened?.(), [opened]);
  const list = useId();
  const terms = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = options
    .filter((option) =>
      terms.every((term) =>
        `${option.label} ${option.detail} ${option.keywords ?? ""}`.toLowerCase().includes(term),
      ),
    )
    .slice(0, listed);
  const active = moved ?? chosen;

  const change = (next: boolean): void => {
    setOpen(next);
    if (!next) return;
    setQuery("");
    setActive(null);
    onOpen?.();
  };
  const choose = (option: ComboboxOption | undefined): void => {
    if (option === undefined) return;
    if (option.value !== value) onChoose(option.value);
    setOpen(false);
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && found.length > 0) setActive((active + step + found.length) % found.length);
    else if (event.key === "Enter") choose(found[active]);
    else return;
    event.preventDefault();
  };
  return (
    <Popover.Root open={open} onOpenChange={change}>
      <Popover.Trigger id={id} aria-label={`${label}: ${shown}`} className={comboboxLook[look]}>
        <ComboboxButton shown={shown} />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          className="z-50 flex max-h-[var(--radix-popover-content-available-height)] w-[min(360px,calc(100vw-16px))] animate-appear flex-col overflow-hidden rounded-md bg-panel shadow-float"
        >
          <input
            role="combobox"
            aria-label={label}
            aria-expanded
            aria-controls={list}
            aria-activedescendant={found[active] === undefined ? undefined : `${list}-${active}`}
            placeholder={uiTexts.typeToFilter}
            value={query}
            onChange={(event) => {
              setQuery(event.target.value);
              setActive(event.target.value === "" ? null : 0);
            }}
            onKeyDown={onKey}
            className="h-9 w-full shrink-0 border-b border-line bg-transparent px-3 text-base outline-none phone:h-11"
          />
          <div id={list} role="listbox" aria-label={label} className="max-h-72 min-h-0 overflow-y-auto p-1">
            {found.map((option, index) => (
              <Fragment key={`${option.group ?? ""} ${option.value}`}>
                {option.group !== undefined && option.group !== found[index - 1]?.group && (
                  <p aria-hidden className="px-2 pt-2 pb-1 text-xs font-medium text-faint first:pt-1">
                    {option.group}
                  </p>
                )}
                {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field has the keys */}
                <div
                  id={`${list}-${index}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={option.value === value}
                  ref={(element) => {
                    if (index === active) showOption(element, index);
                  }}
                  onPointerMove={() => setActive(index)}
                  onClick={() => choose(option)}
                  className={`flex min-h-8 items-center gap-2 rounded-sm px-2 text-sm phone:min-h-11 ${index === active ? "bg-hover" : ""}`}
                >
                  <Check
                    size={14}
                    aria-hidden
                    className={`shrink-0 text-accent ${option.value === value ? "" : "invisible"}`}
                  />
                  <span className="min-w-0 flex-1 truncate">{option.label}</span>
                  <span className="shrink-0 text-xs text-faint tabular-nums">{option.detail}</span>
                </div>
              </Fragment>
            ))}
            {found.length === 0 && (
              <p className="px-2 py-3 text-sm text-faint">{query === "" ? empty : uiTexts.noMatches}</p>
            )}
          </div>
          {note !== undefined && found.length > 0 && (
            <p className="shrink-0 border-t border-line px-3 py-1.5 text-xs text-faint">{note}</p>
          )}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** The first one with the name of its group above it. */
function showOption(element: HTMLElement | null, index: number): void {
  if (index === 0) element?.parentElement?.scrollTo({ top: 0 });
  else element?.scrollIntoView({ block: "nearest" });
}
