// One of a few choices behind a quiet button: what is chosen is the button's text, and each choice says in a
// few words what it means.
import { Check, ChevronDown } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";

export interface Choice {
  value: string;
  label: string;
  detail?: string;
}

interface Props {
  /** What is chosen, for screen readers and on hover: "Thinking". */
  label: string;
  value: string;
  choices: readonly Choice[];
  onChoose(value: string): void;
  icon?: ReactNode;
  /** Draws the eye: a choice that a person should be aware of. */
  marked?: boolean;
}

export function Picker({ label, value, choices, onChoose, icon, marked = false }: Props) {
  const shown = choices.find((choice) => choice.value === value)?.label ?? value;
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger
        aria-label={`${label}: ${shown}`}
        title={label}
        className={`flex h-7 min-w-0 items-center gap-1 rounded-md px-1.5 text-sm hover:bg-hover hover:text-ink data-[state=open]:bg-hover phone:h-11 ${marked ? "text-accent" : "text-muted"}`}
      >
        {icon}
        <span className="min-w-0 truncate">{shown}</span>
        <ChevronDown size={14} aria-hidden className="shrink-0 text-faint" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-w-[min(320px,calc(100vw-16px))] min-w-48 animate-appear rounded-md bg-panel p-1 shadow-float"
        >
          <DropdownMenu.Label className="px-2 pt-1 pb-1.5 text-xs text-faint">{label}</DropdownMenu.Label>
          <DropdownMenu.RadioGroup value={value} onValueChange={onChoose}>
            {choices.map((choice) => (
              <DropdownMenu.RadioItem
                key={choice.value}
                value={choice.value}
                className="flex min-h-8 items-start gap-2 rounded-sm px-2 py-1.5 text-sm outline-none data-[highlighted]:bg-hover phone:min-h-11 phone:py-2.5"
              >
                <span aria-hidden className="mt-[3px] size-3.5 shrink-0 text-accent">
                  <DropdownMenu.ItemIndicator>
                    <Check size={14} />
                  </DropdownMenu.ItemIndicator>
                </span>
                <span className="min-w-0">
                  {choice.label}
                  {choice.detail !== undefined && (
                    <span className="block text-xs text-faint">{choice.detail}</span>
                  )}
                </span>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
