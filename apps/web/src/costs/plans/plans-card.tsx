// What is left of each agent's plan: its windows, the one that binds first on top. Not there while no agent tells anything.
import type { AgentPlan } from "@patchbay/protocol";
import { agentName } from "../../format/agent-name.ts";
import { formatAgo, formatClock, formatExact } from "../../format/time.ts";
import { Card } from "../cards/card.tsx";
import { useFetchedPath } from "../data/use-fetched-path.ts";
import {
  levelFill,
  levelOf,
  PlansBody,
  resetsLabel,
  type ShownWindow,
  usedLabel,
  windowLabel,
} from "./plan-figures.ts";
import { planTexts } from "./texts.ts";
import { useNow } from "./use-now.ts";

const lookMs = 30_000;

export function PlansCard() {
  const { data } = useFetchedPath("/api/costs/plan-limits", PlansBody, lookMs);
  if (data === null || data.plans.length === 0) return null;
  return (
    <Card title={planTexts.plans} className="mb-4">
      <ul className="grid grid-cols-2 gap-x-8 px-4 pb-3 max-lg:grid-cols-1 phone:px-3">
        {data.plans.map((plan) => (
          <Plan key={plan.agent} plan={plan} />
        ))}
      </ul>
    </Card>
  );
}

function Plan({ plan }: { plan: AgentPlan }) {
  const now = useNow();
  return (
    <li data-plan={plan.agent} className="min-w-0 py-1.5">
      <p className="flex items-baseline gap-2 text-sm">
        <span className="truncate font-medium">{agentName(plan.agent)}</span>
        {plan.plan !== null && <span className="truncate text-xs text-muted">{plan.plan}</span>}
        <time
          dateTime={plan.told_at}
          title={formatExact(plan.told_at)}
          className="ml-auto shrink-0 text-xs text-faint"
        >
          {planTexts.toldAgo(formatAgo(plan.told_at, now))}
        </time>
      </p>
      <ul className="mt-1">
        {plan.windows.map((window) => (
          <Window key={window.id} window={window} plan={plan} now={now} />
        ))}
      </ul>
    </li>
  );
}

function Window({ window, plan, now }: { window: ShownWindow; plan: AgentPlan; now: number }) {
  const binds = window.id === plan.binds;
  if (window.has_reset)
    return (
      <li className="flex min-h-8 flex-wrap items-baseline gap-x-2 py-1 text-xs text-faint">
        <span>{windowLabel(window)}</span>
        <span className="ml-auto">{planTexts.hasReset}</span>
      </li>
    );
  const level = levelOf(window);
  return (
    <li className="py-1 text-xs tabular-nums">
      <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
        <span className={`whitespace-nowrap ${binds ? "font-medium" : "text-muted"}`}>
          {windowLabel(window)}
        </span>
        {binds && (
          <span
            className="rounded-sm bg-selected px-1.5 text-2xs leading-4.5 text-muted phone:order-last"
            title={plan.reached_at === null ? undefined : formatExact(plan.reached_at)}
          >
            {plan.reached_at !== null && level !== "reached"
              ? planTexts.usedUpAt(formatClock(plan.reached_at))
              : planTexts.bindsFirst}
          </span>
        )}
        <span className={`ml-auto shrink-0 ${binds ? "text-ink" : "text-muted"}`}>
          {usedLabel(window)}
          {window.resets_at !== undefined && (
            <span className="text-muted" title={formatExact(window.resets_at)}>
              {" "}
              · {resetsLabel(window, now)}
            </span>
          )}
        </span>
      </p>
      <span aria-hidden className="mt-1 block h-1.5 overflow-hidden rounded-full bg-line">
        <span
          className={`block h-full rounded-full ${levelFill[level]}`}
          style={{ width: `${Math.min(100, window.used_percent ?? (level === "reached" ? 100 : 0))}%` }}
        />
      </span>
    </li>
  );
}
