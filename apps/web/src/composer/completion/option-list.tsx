// The list that opens above the composer while something is being completed. The focus stays in the composer,
// which has the keys; a finger taps.
import type { ReactNode } from "react";

interface Props<T> {
  id: string;
  label: string;
  options: readonly T[];
  keyOf(option: T): string;
  active: number;
  onPoint(index: number): void;
  onChoose(option: T): void;
  renderOption(option: T): ReactNode;
  /** Shown when nothing matches. */
  empty: string;
}

export const optionId = (menu: string, index: number): string => `${menu}-${index}`;

export function OptionList<T>({
  id,
  label,
  options,
  keyOf,
  active,
  onPoint,
  onChoose,
  renderOption,
  empty,
}: Props<T>) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label={label}
      className="absolute right-0 bottom-full left-0 z-30 mb-1.5 max-h-[min(20rem,calc(var(--seen)*0.45))] animate-appear overflow-y-auto rounded-md bg-panel p-1 shadow-float"
    >
      {options.map((option, index) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the composer has the keys
        <div
          key={keyOf(option)}
          id={optionId(id, index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          ref={(element) => {
            if (index === active) element?.scrollIntoView({ block: "nearest" });
          }}
          onPointerMove={() => onPoint(index)}
          // A press would take the focus, and with it a phone's keyboard
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(option)}
          className={`flex min-h-8 items-center gap-3 rounded-sm px-2 text-sm phone:min-h-11 ${index === active ? "bg-hover" : ""}`}
        >
          {renderOption(option)}
        </div>
      ))}
      {options.length === 0 && <p className="px-2 py-2 text-sm text-faint">{empty}</p>}
    </div>
  );
}
