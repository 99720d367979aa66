// A framed part of the costs page: its title, what belongs beside it, and what to say when it cannot be filled.
import type { ReactNode } from "react";
import type { Fetched } from "../../api/http/use-fetched.ts";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/feedback/skeleton.tsx";
import { costCardTexts } from "./texts.ts";

interface Props {
  title: string;
  /** In place of the title: it can be changed. */
  heading?: ReactNode;
  beside?: ReactNode;
  className?: string;
  children: ReactNode;
}

export function Card({ title, heading, beside, className = "", children }: Props) {
  return (
    <section
      aria-label={title}
      className={`flex min-w-0 flex-col rounded-md border border-line bg-panel ${className}`}
    >
      <header className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 px-4 pt-1.5 phone:px-3">
        <h2 className="flex-1 text-sm font-medium whitespace-nowrap">{heading ?? title}</h2>
        {beside}
      </header>
      {children}
    </section>
  );
}

interface FilledProps<T> {
  asked: Fetched<T>;
  /** Lines of the place holder: as many as the answer will have. */
  rows: number;
  children(data: T): ReactNode;
}

/** What was answered; until then a place holder of its height, or why there is no answer. */
export function Filled<T>({ asked, rows, children }: FilledProps<T>) {
  const { data, outdated, error, refetch } = asked;
  if (error !== null && data === null) return <Failed message={error} again={refetch} />;
  if (data === null) return <Rows count={rows} />;
  return (
    <div aria-busy={outdated} className={`transition-opacity duration-150 ${outdated ? "opacity-60" : ""}`}>
      {children(data)}
    </div>
  );
}

export const Failed = ({ message, again }: { message: string; again(): void }) => (
  <div role="alert" className="flex flex-1 flex-col items-start gap-2 px-4 py-4 text-sm text-muted">
    {message}
    <Button look="plain" onClick={again}>
      {costCardTexts.tryAgain}
    </Button>
  </div>
);

const widths = ["w-4/5", "w-3/5", "w-2/3", "w-1/2", "w-2/5", "w-1/3", "w-3/4"];

const Rows = ({ count }: { count: number }) => (
  <div role="status" aria-label={costCardTexts.loading} className="px-4 py-1.5">
    {Array.from({ length: count }, (_, row) => (
      <div key={row} className="flex h-8 items-center phone:h-11">
        <Skeleton className={`h-3 ${widths[row % widths.length]}`} />
      </div>
    ))}
  </div>
);

export const Nothing = ({ children }: { children: ReactNode }) => (
  <p className="flex flex-1 items-center justify-center px-4 py-8 text-center text-sm text-faint">
    {children}
  </p>
);
