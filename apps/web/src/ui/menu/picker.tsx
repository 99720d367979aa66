// One of a few choices behind a quiet button: what is chosen is the button's text, and each choice has a
// short description.
import { ChevronDown } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { type Choice, Menu, MenuChoice } from "./menu.tsx";

interface Props {
  /** What is chosen, for screen readers and on hover: "Thinking". */
  label: string;
  value: string;
  choices: readonly Choice[];
  onChoose(value: string): void;
  icon?: ReactNode;
  /** What else the menu has. */
  children?: ReactNode;
}

export function Picker({ label, value, choices, onChoose, icon, children }: Props) {
  const shown = choices.find((choice) => choice.value === value)?.label ?? value;
  return (
    <Menu align="start" trigger={<PickerButton label={label} shown={shown} icon={icon} />}>
      <MenuChoice title={label} value={value} choices={choices} onChoose={onChoose} />
      {children}
    </Menu>
  );
}

interface ButtonProps extends Omit<ComponentProps<"button">, "type" | "title" | "className" | "children"> {
  label: string;
  shown: string;
  icon?: ReactNode;
}

/** What opens such a menu. */
export const PickerButton = ({ label, shown, icon, ...given }: ButtonProps) => (
  <button
    {...given}
    type="button"
    aria-label={`${label}: ${shown}`}
    title={label}
    className="flex h-7 min-w-0 items-center gap-1 rounded-md px-1.5 text-sm text-muted hover:bg-hover hover:text-ink data-[state=open]:bg-hover phone:h-11"
  >
    {icon}
    <span className="min-w-0 truncate">{shown}</span>
    <ChevronDown size={14} aria-hidden className="shrink-0 text-faint" />
  </button>
);
