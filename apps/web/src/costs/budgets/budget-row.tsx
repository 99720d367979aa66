// One budget in the list: whose, how much, how much is spent, and what can be done about it.
import type { Budget, BudgetStatus } from "@patchbay/protocol";
import { Ellipsis, Pencil, Plus, Trash2 } from "lucide-react";
import { formatDollars } from "../../format/money.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Menu, MenuItem } from "../../ui/menu/menu.tsx";
import { BudgetBar } from "./budget-bar.tsx";
import {
  periodLabels,
  restartLabel,
  share,
  spentLabel,
  targetName,
  uncountedLabel,
  whose,
} from "./budget-labels.ts";

interface Props {
  budget: Budget;
  names: ReadonlyMap<string, string>;
  now: number;
  onGrant(status: BudgetStatus): void;
  onEdit(): void;
  onDelete(): void;
}

/** Of a budget that each has: the nearest to their limits. */
const shownTargets = 3;

export function BudgetRow({ budget, names, now, onGrant, onEdit, onDelete }: Props) {
  const { status, period, kind, source } = budget;
  const fixed = source === "config";
  const first = status[0];
  return (
    <li data-budget={budget.name} className="border-b border-line px-4 py-3.5 last:border-b-0 phone:px-3">
      <div className="flex items-center gap-2">
        <h2 className="min-w-0 truncate font-medium">{budget.name}</h2>
        <span
          className={`shrink-0 rounded-sm border px-1.5 text-2xs ${kind === "hard" ? "border-edge text-ink" : "border-line text-muted"}`}
        >
          {kind === "hard" ? "stops" : "warns"}
        </span>
        {fixed && <span className="shrink-0 text-2xs text-faint">config file</span>}
        <span className="flex-1" />
        <Menu
          trigger={
            <IconButton label={`What to do with ${budget.name}`}>
              <Ellipsis size={16} aria-hidden />
            </IconButton>
          }
        >
          <MenuItem
            icon={<Plus size={14} />}
            disabled={first === undefined}
            onSelect={() => first && onGrant(first)}
          >
            Grant or raise…
          </MenuItem>
          <MenuItem icon={<Pencil size={14} />} disabled={fixed} onSelect={onEdit}>
            Edit…
          </MenuItem>
          <MenuItem icon={<Trash2 size={14} />} danger disabled={fixed} onSelect={onDelete}>
            Delete…
          </MenuItem>
        </Menu>
      </div>
      <p className="mb-2 text-sm text-muted">
        {whose(budget, names)} · {formatDollars(budget.limit_usd)} {periodLabels[period]}
        {period !== "turn" && period !== "total" && <span className="text-faint"> · {budget.time_zone}</span>}
      </p>
      {status.slice(0, shownTargets).map((each) => (
        <Standing key={each.target} {...{ budget, names, now }} status={each} onGrant={() => onGrant(each)} />
      ))}
      {status.length === 0 && <p className="text-xs text-faint">Nothing was spent against it yet.</p>}
      {status.length > shownTargets && (
        <p className="mt-1 text-xs text-faint">
          and {status.length - shownTargets} more, further from their limits
        </p>
      )}
    </li>
  );
}

interface StandingProps {
  budget: Budget;
  status: BudgetStatus;
  names: ReadonlyMap<string, string>;
  now: number;
  onGrant(): void;
}

function Standing({ budget, status, names, now, onGrant }: StandingProps) {
  const { scope, target, period, warn_percent } = budget;
  const many = period === "turn" || (scope !== "everything" && target === null);
  const named = targetName(period === "turn" ? "session" : scope, status.target, names);
  const unseen = uncountedLabel(status);
  const granted = status.granted_usd > 0 ? `${formatDollars(status.granted_usd)} granted` : null;
  const notes = [granted, restartLabel(status, now), unseen].filter((note) => note !== null);
  const ink =
    status.state === "over" ? "text-failed" : status.state === "warned" ? "text-accent" : "text-ink";
  return (
    <div className="mt-1.5">
      <div className="mb-1 flex items-baseline gap-2 text-sm tabular-nums">
        {many && <span className="min-w-0 truncate text-muted">{named}</span>}
        <span className={`shrink-0 font-mono text-xs ${ink}`}>{spentLabel(status)}</span>
        <span className="flex-1" />
        {status.state === "over" && budget.kind === "hard" && (
          <button
            type="button"
            onClick={onGrant}
            className="shrink-0 rounded-sm text-xs font-medium text-accent hover:underline phone:min-h-11 phone:px-2"
          >
            Grant or raise
          </button>
        )}
        <span className={`shrink-0 font-mono text-xs ${ink}`}>{Math.round(share(status) * 100)} %</span>
      </div>
      <BudgetBar status={status} warnAt={warn_percent} />
      {notes.length > 0 && <p className="mt-1 text-xs text-faint">{notes.join(" · ")}</p>}
    </div>
  );
}
