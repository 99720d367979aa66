// Counting for a budget starts from the ledger: what was spent in its period, what people were told in it, and what
// was granted for it.
import { type BudgetTerms, toMicroDollars } from "@patchbay/protocol";
import { isImported } from "../../store/imported.ts";
import type { LedgerGroup } from "../../store/ledger-types.ts";
import type { Store } from "../../store/store.ts";
import { spentBy, Tally } from "./tally.ts";
import type { Unsettled } from "./unsettled.ts";

const dimensions = { project: "cwd", worker: "worker", person: "person", session: "session" } as const;

/** Of one period: told twice for each target, granted some. */
const maxEvents = 10_000;

export async function openTally(
  store: Store,
  unsettled: Unsettled,
  id: string,
  terms: BudgetTerms,
): Promise<Tally> {
  const tally = new Tally(terms, Date.now());
  if (terms.period === "turn") return tally; // a turn that was running has ended with its server
  const { from } = tally.periodAt(Date.now());
  const period = new Date(from).toISOString();
  const events = await store.budgets.events({ budget: id, period, limit: maxEvents });
  const scope = terms.scope === "everything" ? [] : [dimensions[terms.scope]];
  const groupBy: LedgerGroup[] = [...new Set([...scope, "worker" as const])];
  const range = terms.period === "total" ? {} : { from: period };
  const { moment, rest } = await unsettled.beside(() => store.ledgerMoment({ groupBy, ...range }));
  for (const { keys, usage } of moment.rows) {
    const { session = "", person = "", cwd = "", worker = "" } = keys;
    if (isImported(worker)) continue; // spent outside, where no budget could hold it
    const target = tally.targetOf({ session, person, cwd, worker });
    const spent = { micros: toMicroDollars(usage.cost_usd), unpriced: usage.unpriced ?? 0 };
    if (target !== undefined) tally.seed(target, spent);
  }
  for (const entry of rest) {
    const target = tally.targetOf(entry);
    if (target !== undefined) tally.adjust(target, Date.parse(entry.time), spentBy(entry));
  }
  for (const { event, target, amount_usd } of events) {
    if (event === "warned" || event === "exceeded") tally.remember(target, event);
    if (event === "granted") tally.remember(target, { granted: toMicroDollars(amount_usd ?? 0) });
  }
  tally.tellAnew(); // what was told may no longer be so
  return tally;
}
