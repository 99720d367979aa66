// A button with a text. Four weights: the one thing to do, one of several, and the way out.
import type { ReactNode } from "react";

type Look = "primary" | "plain" | "quiet" | "danger";

const looks: Readonly<Record<Look, string>> = {
  primary: "bg-fill text-on-fill font-medium hover:bg-fill-hover disabled:bg-selected disabled:text-faint",
  plain: "border border-edge bg-raised text-ink hover:bg-hover",
  quiet: "text-muted hover:bg-hover hover:text-ink",
  danger: "border border-failed/50 text-failed hover:bg-failed-soft",
};

interface Props {
  look: Look;
  type?: "button" | "submit";
  /** For screen readers, where the text alone is ambiguous. */
  label?: string;
  disabled?: boolean;
  onClick?: () => void;
  children: ReactNode;
}

export function Button({ look, type = "button", label, disabled = false, onClick, children }: Props) {
  return (
    <button
      type={type}
      aria-label={label}
      disabled={disabled}
      onClick={onClick}
      className={`inline-flex h-8 items-center justify-center gap-1.5 rounded-md px-3 text-sm whitespace-nowrap transition-colors duration-100 phone:h-11 phone:px-4 ${looks[look]}`}
    >
      {children}
    </button>
  );
}
