// Something went wrong: a heading that says what, and below it what is known and what to do. No alert: rows come back
// whenever the reader scrolls; the announcer reads it once, when it happens.
import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { formatExact } from "../../format/time.ts";

interface FailureProps {
  title: string;
  time?: string;
  children: ReactNode;
  /** What to do about it. */
  action?: ReactNode;
}

export function FailureBox({ title, time, children, action = false }: FailureProps) {
  return (
    <section
      role="group"
      aria-label={title}
      title={time === undefined ? undefined : formatExact(time)}
      className="my-3 rounded-md border border-failed/35 bg-failed-soft px-3 py-2.5"
    >
      <h2 className="flex items-start gap-2 font-medium text-failed">
        <CircleAlert size={16} aria-hidden className="mt-[3px] shrink-0" />
        <span className="min-w-0 [overflow-wrap:anywhere]">{title}</span>
      </h2>
      <div className="mt-1 pl-6 text-sm whitespace-pre-wrap text-muted [overflow-wrap:anywhere]">
        {children}
      </div>
      {action !== false && <div className="mt-2.5 flex pl-6 text-xs">{action}</div>}
    </section>
  );
}
