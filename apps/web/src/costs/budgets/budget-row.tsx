// One budget in the list: whose, how much, how much is spent, and what can be done about it.
import type { Budget, BudgetStatus } from "@patchbay/protocol";
import { Ellipsis, Pencil, Plus, Trash2 } from "lucide-react";
import { Link } from "wouter";
import { formatDollars } from "../../format/money.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Menu, MenuItem } from "../../ui/menu/menu.tsx";
import { rowLink } from "../cards/row-link.ts";
import { BudgetBar } from "./budget-bar.tsx";
import { budgetAddress } from "./data/budget-address.ts";
import {
  periodLabel,
  resetLabel,
  share,
  spentLabel,
  targetName,
  uncountedLabel,
  whose,
} from "./data/budget-labels.ts";
import { outlookOf } from "./data/outlook.ts";
import { budgetTexts } from "./data/texts.ts";

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
    <li
      data-budget={budget.name}
      className="relative border-b border-line px-4 py-3.5 last:border-b-0 hover:bg-hover phone:px-3"
    >
      <div className="flex items-center gap-2">
        <h2 className="min-w-0 truncate font-medium">
          <Link
            href={budgetAddress(budget, first)}
            title={budgetTexts.showCosts(budget.name)}
            className={rowLink}
          >
            {budget.name}
          </Link>
        </h2>
        <span
          className={`shrink-0 rounded-sm border px-1.5 text-2xs ${kind === "hard" ? "border-edge text-ink" : "border-line text-muted"}`}
        >
          {kind === "hard" ? budgetTexts.stops : budgetTexts.warns}
        </span>
        {fixed && <span className="shrink-0 text-2xs text-faint">{budgetTexts.fromConfig}</span>}
        <span className="flex-1" />
        <span className="relative z-10">
          <Menu
            trigger={
              <IconButton label={budgetTexts.actionsFor(budget.name)}>
                <Ellipsis size={16} aria-hidden />
              </IconButton>
            }
          >
            <MenuItem
              icon={<Plus size={14} />}
              disabled={first === undefined}
              onSelect={() => first && onGrant(first)}
            >
              {budgetTexts.grantOrRaise}…
            </MenuItem>
            <MenuItem icon={<Pencil size={14} />} disabled={fixed} onSelect={onEdit}>
              {budgetTexts.edit}…
            </MenuItem>
            <MenuItem icon={<Trash2 size={14} />} danger disabled={fixed} onSelect={onDelete}>
              {budgetTexts.delete}…
            </MenuItem>
          </Menu>
        </span>
      </div>
      <p className="mb-2 text-sm text-muted">
        {whose(budget, names)} · {formatDollars(budget.limit_usd)} {periodLabel(period)}
        {period !== "turn" && period !== "total" && <span className="text-faint"> · {budget.time_zone}</span>}
      </p>
      {status.slice(0, shownTargets).map((each) => (
        <Standing key={each.target} {...{ budget, names, now }} status={each} onGrant={() => onGrant(each)} />
      ))}
      {status.length === 0 && <p className="text-xs text-faint">{budgetTexts.nothingSpent}</p>}
      {status.length > shownTargets && (
        <p className="mt-1 text-xs text-faint">
          {budgetTexts.moreFartherFromLimit(status.length - shownTargets)}
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
  const granted = status.granted_usd > 0 ? budgetTexts.granted(formatDollars(status.granted_usd)) : null;
  const forecast =
    status.forecast_usd === undefined ? null : budgetTexts.forecast(formatDollars(status.forecast_usd));
  const outlook = outlookOf(budget, status, 0, now);
  const notes = [forecast, granted, resetLabel(status, now), unseen].filter((note) => note !== null);
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
            className="relative z-10 shrink-0 rounded-sm text-xs font-medium text-accent hover:underline phone:min-h-11 phone:px-2"
          >
            {budgetTexts.grantOrRaise}
          </button>
        )}
        <span className={`shrink-0 font-mono text-xs ${ink}`}>{Math.round(share(status) * 100)} %</span>
      </div>
      <BudgetBar status={status} warnAt={warn_percent} />
      <p className="mt-1 text-xs text-faint">
        <span className={outlook.tone === "ok" ? "" : ink === "text-ink" ? "text-accent" : ink}>
          {outlook.text}
        </span>
        {notes.map((note) => ` · ${note}`)}
      </p>
    </div>
  );
}
