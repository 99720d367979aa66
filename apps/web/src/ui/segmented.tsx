// One of a few choices, side by side; each is a link, so that it can be opened elsewhere or copied.
import { Link } from "wouter";

interface Props<T extends string> {
  label: string;
  value: T | null;
  choices: readonly { value: T; label: string; href: string }[];
}

export function Segmented<T extends string>({ label, value, choices }: Props<T>) {
  return (
    <nav aria-label={label} className="flex shrink-0 gap-0.5 rounded-md border border-line bg-sunken p-0.5">
      {choices.map((choice) => (
        <Link
          key={choice.value}
          href={choice.href}
          aria-current={choice.value === value ? "true" : undefined}
          className={`flex h-6 items-center rounded-sm px-2 text-xs whitespace-nowrap phone:h-10 phone:px-3 phone:text-sm ${choice.value === value ? "bg-selected font-medium text-ink" : "text-muted hover:text-ink"}`}
        >
          {choice.label}
        </Link>
      ))}
    </nav>
  );
}
