// A button that is only a picture; its label is read aloud and shown on hover.
import type { ComponentProps } from "react";

interface Props extends Omit<ComponentProps<"button">, "aria-label" | "title" | "className"> {
  label: string;
  /** On hover; otherwise the label is shown. */
  hint?: string;
}

export function IconButton({ label, hint, children, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={hint ?? label}
      className="flex size-8 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink disabled:opacity-50 data-[state=open]:bg-hover data-[state=open]:text-ink phone:size-11"
    >
      {children}
    </button>
  );
}
