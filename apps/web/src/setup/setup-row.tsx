// The rows of the setup page, and the parts that they are in.
import type { ReactNode } from "react";
import { CopyButton } from "../ui/feedback/copy-button.tsx";
import { setupTexts } from "./texts.ts";

interface PartProps {
  title: string;
  count?: number;
  note?: string;
  children: ReactNode;
}

export const SetupPart = ({ title, count, note, children }: PartProps) => (
  <section aria-label={title} className="mb-10">
    <h2 className="text-lg font-semibold tracking-[-0.01em]">
      {title} {count !== undefined && <span className="font-normal text-faint tabular-nums">{count}</span>}
    </h2>
    {note !== undefined && <p className="mt-1 max-w-[68ch] text-sm text-muted">{note}</p>}
    <ul className="mt-3 divide-y divide-line border-y border-line">{children}</ul>
  </section>
);

interface RowProps {
  name: ReactNode;
  description: ReactNode;
  found: boolean;
  children?: ReactNode;
  /** What is opened in the row. */
  below?: ReactNode;
}

export const SetupRow = ({ name, description, found, children, below }: RowProps) => (
  <li className="py-2.5 phone:py-3">
    <div className="flex min-h-9 items-center gap-x-4 gap-y-2 phone:flex-wrap phone:items-start">
      <span
        aria-hidden
        className={`size-2 shrink-0 rounded-full phone:mt-1.5 ${found ? "bg-done" : "border border-edge"}`}
      />
      <div className="min-w-0 flex-1 phone:basis-[calc(100%-1.5rem)]">
        <p className="font-medium">{name}</p>
        <div className="text-sm text-muted [overflow-wrap:anywhere]">{description}</div>
      </div>
      {children !== undefined && (
        <div className="flex min-w-0 shrink-0 items-center gap-1 phone:shrink phone:pl-6">{children}</div>
      )}
    </div>
    {below !== undefined && <div className="pt-3 pl-6 phone:pl-0">{below}</div>}
  </li>
);

export const Command = ({ text }: { text: string }) => (
  <>
    <code
      className="max-w-[380px] truncate rounded-sm bg-sunken px-2 py-1 font-mono text-xs text-ink"
      title={text}
    >
      {text}
    </code>
    <CopyButton text={text} label={setupTexts.copy(text)} />
  </>
);
