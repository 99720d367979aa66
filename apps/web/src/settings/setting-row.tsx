// A setting: what it is on the left, its control on the right; below each other on a phone.
import { type ReactNode, useId } from "react";

export function SettingSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="mb-1 text-sm font-semibold">
        {title}
      </h3>
      <div className="divide-y divide-line border-y border-line">{children}</div>
    </section>
  );
}

interface RowProps {
  title: ReactNode;
  note?: ReactNode;
  /** The id of the control, where the title is its label. */
  labels?: string;
  children: ReactNode;
}

export const SettingRow = ({ title, note, labels, children }: RowProps) => (
  <div className="flex min-h-12 items-center justify-between gap-x-6 gap-y-2 py-2 phone:flex-wrap">
    <div className="min-w-0 flex-1 phone:basis-full">
      {labels === undefined ? (
        <p className="text-sm">{title}</p>
      ) : (
        <label htmlFor={labels} className="block text-sm">
          {title}
        </label>
      )}
      {note !== undefined && (
        <p id={labels === undefined ? undefined : `${labels}-note`} className="text-xs text-faint">
          {note}
        </p>
      )}
    </div>
    {children}
  </div>
);

interface ChoiceProps<T extends string> {
  title: string;
  note?: string;
  options: readonly (readonly [T, string])[];
  chosen: T;
  onChoose(choice: T): void;
}

export function SettingChoice<T extends string>({ title, note, options, chosen, onChoose }: ChoiceProps<T>) {
  return (
    <SettingRow title={title} note={note}>
      <div
        role="group"
        aria-label={title}
        className="flex w-[300px] shrink-0 gap-1 rounded-md bg-sunken p-1 phone:w-full"
      >
        {options.map(([choice, label]) => (
          <button
            key={choice}
            type="button"
            aria-pressed={choice === chosen}
            onClick={() => onChoose(choice)}
            className="h-7 flex-1 rounded-sm px-2 text-sm whitespace-nowrap text-muted hover:text-ink aria-pressed:bg-selected aria-pressed:text-ink phone:h-11"
          >
            {label}
          </button>
        ))}
      </div>
    </SettingRow>
  );
}
