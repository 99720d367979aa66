// Tabs above what they show. The arrow keys move between them.
import type { KeyboardEvent } from "react";

interface Props<T extends string> {
  /** Beginning of the ids that tie a tab to its panel. */
  id: string;
  label: string;
  value: T;
  tabs: readonly { value: T; label: string; count?: number }[];
  onChoose(value: T): void;
}

export const tabId = (id: string, value: string): string => `${id}-tab-${value}`;
export const tabPanelId = (id: string, value: string): string => `${id}-panel-${value}`;

export function Tabs<T extends string>({ id, label, value, tabs, onChoose }: Props<T>) {
  const onKey = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const at = tabs.findIndex((tab) => tab.value === value);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (next === undefined) return;
    onChoose(next.value);
    document.getElementById(tabId(id, next.value))?.focus();
  };
  return (
    <div
      role="tablist"
      tabIndex={-1}
      aria-label={label}
      onKeyDown={onKey}
      className="flex min-w-0 self-stretch overflow-x-auto"
    >
      {tabs.map((tab) => (
        <button
          key={tab.value}
          id={tabId(id, tab.value)}
          type="button"
          role="tab"
          aria-selected={tab.value === value}
          aria-controls={tabPanelId(id, tab.value)}
          tabIndex={tab.value === value ? 0 : -1}
          onClick={() => onChoose(tab.value)}
          className={`relative shrink-0 px-2.5 text-sm -outline-offset-4 phone:min-h-11 phone:px-3.5 ${tab.value === value ? "text-ink after:absolute after:inset-x-2.5 after:bottom-0 after:h-0.5 after:bg-fill" : "text-muted hover:text-ink"}`}
        >
          {tab.label}
          {(tab.count ?? 0) > 0 && <span className="ml-1.5 text-faint tabular-nums">{tab.count}</span>}
        </button>
      ))}
    </div>
  );
}
