// Finds the sessions whose transcript shows an alert about spending: those that spend for it now.
import type { CostAlert, SessionInfo } from "@patchbay/protocol";
import type { Budgets } from "../../costs/budgets/budgets.ts";
import { projectOf, spenderOf } from "../../projections/ledger-entry.ts";
import type { Store } from "../../store/store.ts";
import type { Hub } from "./hub.ts";

/** As for the current rate of spending. */
const windowMs = 10 * 60_000;

export async function alertedSessions(
  alert: CostAlert,
  { store, hub, budgets }: { store: Store; hub: Hub; budgets: Budgets },
  now: number,
): Promise<string[]> {
  const recent = await store.spentSince(now - windowMs);
  const concerns = (session: SessionInfo): boolean => {
    if (alert.subject === "project") return projectOf(session) === alert.target;
    if (alert.subject === "model") return session.model === alert.target;
    const budget = budgets.listFor(spenderOf(hub.record(session.id))).find(({ id }) => id === alert.budget);
    return budget?.status.some(({ target }) => target === alert.target) === true;
  };
  return hub.views().flatMap((session) => (recent.has(session.id) && concerns(session) ? [session.id] : []));
}
