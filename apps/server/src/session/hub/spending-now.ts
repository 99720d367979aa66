// The current rate of spending: the last minutes of the ledger, by session, as dollars per hour.
import type { SessionInfo } from "@patchbay/protocol";
import { projectOf } from "../../projections/ledger-entry.ts";
import type { LedgerSums } from "../../store/ledger-types.ts";
import { quarterMs } from "../../store/quarters.ts";
import type { Store } from "../../store/store.ts";
import type { Hub } from "./hub.ts";

/** Long enough for a slow model to answer twice, short enough to be called now. */
const windowMs = 10 * 60_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Of the sessions that `sees` accepts. */
export async function spendingNow(store: Store, hub: Hub, now: number, sees: (session: string) => boolean) {
  const recent = new Map([...(await store.spentSince(now - windowMs))].filter(([session]) => sees(session)));
  const spent = [...recent.values()];
  const running = hub.views().filter(({ id, state }) => sees(id) && (isAtWork(state) || recent.has(id)));
  const day = await store.queryLedger({
    from: new Date(Math.floor((now - dayMs) / quarterMs) * quarterMs).toISOString(),
    groupBy: [],
  });
  return {
    time: new Date(now).toISOString(),
    window_ms: windowMs,
    cost_usd_per_hour: spent.reduce((sum, usage) => sum + hourly(usage), 0),
    /** Over the last 24 hours, to compare the current rate with. */
    average_usd_per_hour: (day[0]?.usage.cost_usd ?? 0) / 24,
    unpriced: spent.reduce((sum, usage) => sum + (usage.unpriced ?? 0), 0),
    sessions: running
      .map((view) => runningSession(view, recent.get(view.id)))
      .sort((a, b) => b.cost_usd_per_hour - a.cost_usd_per_hour),
  };
}

const isAtWork = (state: SessionInfo["state"]): boolean =>
  state === "busy" || state === "waiting" || state === "starting";

const hourly = (usage: LedgerSums | undefined): number => ((usage?.cost_usd ?? 0) * hourMs) / windowMs;

const runningSession = (
  { id, name, cwd, project, worker, provider, model, state, usage }: SessionInfo,
  spent: LedgerSums | undefined,
) => ({
  id,
  name,
  cwd: projectOf({ cwd, project }),
  worker,
  provider,
  model,
  state,
  cost_usd: usage.cost_usd,
  /** Calls since the session began whose cost is missing from `cost_usd`. */
  unpriced_so_far: usage.unpriced ?? 0,
  cost_usd_per_hour: hourly(spent),
  calls: spent?.calls ?? 0,
  unpriced: spent?.unpriced ?? 0,
});
