// The filters that are set, each taken away with a click.
import { X } from "lucide-react";
import { Link } from "wouter";
import { useSessionList } from "../session-list/session-list.ts";
import { costCardTexts } from "./cards/texts.ts";
import { dimensionLabel, nameLabel, nameTitle } from "./data/labels.ts";
import { type Dimension, dimensions, type View, without, writeView } from "./data/view.ts";

export function CostFilters({ view }: { view: View }) {
  const set = dimensions.flatMap((name) => {
    const value = view.where[name];
    return value === undefined ? [] : [{ name, value }];
  });
  if (set.length === 0) return null;
  return (
    <ul aria-label={costCardTexts.filters} className="mb-3 flex flex-wrap items-center gap-2">
      {set.map(({ name, value }) => (
        <li key={name}>
          <Chip view={view} name={name} value={value} />
        </li>
      ))}
      {set.length > 1 && (
        <li>
          <Link
            href={`/costs${writeView({ ...view, where: {} })}`}
            className="px-1 text-xs text-muted underline-offset-2 hover:text-ink hover:underline"
          >
            {costCardTexts.clearAll}
          </Link>
        </li>
      )}
    </ul>
  );
}

function Chip({ view, name, value }: { view: View; name: Dimension; value: string }) {
  const session = useSessionList(({ listing }) =>
    name === "session" && listing.state === "ready"
      ? listing.sessions.find(({ id }) => id === value)?.name
      : undefined,
  );
  const label = session ?? nameLabel(name, value);
  return (
    <Link
      href={`/costs${writeView({ ...view, where: without(view.where, name) })}`}
      title={costCardTexts.removeFilter(nameTitle(name, value))}
      className="flex h-7 max-w-[300px] items-center gap-1.5 rounded-full border border-edge bg-raised pr-2 pl-3 text-xs hover:bg-hover phone:h-10 phone:text-sm"
    >
      <span className="text-faint">{dimensionLabel(name)}</span>
      <span className="truncate">{label}</span>
      <X size={13} aria-hidden className="shrink-0 text-faint" />
    </Link>
  );
}
