// A labelled field with its hint and what is wrong with it, tied together for screen readers.
import { type ReactNode, useId } from "react";

interface Props {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  children(control: { id: string; "aria-describedby": string; "aria-invalid": boolean }): ReactNode;
}

export function Field({ label, hint, error, children }: Props) {
  const id = useId();
  const note = `${id}-note`;
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      {children({ id, "aria-describedby": note, "aria-invalid": error !== undefined })}
      <p
        id={note}
        aria-live="polite"
        className={`mt-1.5 text-xs ${error === undefined ? "text-faint" : "text-failed [overflow-wrap:anywhere]"}`}
      >
        {error ?? hint}
      </p>
    </div>
  );
}

export const controlClass =
  "block h-9 w-full rounded-md border border-edge bg-canvas px-3 text-base outline-offset-0 aria-invalid:border-failed phone:h-11";
