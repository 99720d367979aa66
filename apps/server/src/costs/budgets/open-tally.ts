// Opens the tally of a budget: reads what was spent in its period from the ledger, and what was reported and granted from its
// events.
import { type BudgetTerms, toNanoDollars } from "@patchbay/protocol";
import { isImported } from "../../store/imported.ts";
import type { LedgerGroup } from "../../store/ledger-types.ts";
import type { Store } from "../../store/store.ts";
import { spentBy, Tally } from "./tally.ts";
import type { UnwrittenEntries } from "./unwritten-entries.ts";

export const scopeDimensions = {
  project: "cwd",
  worker: "worker",
  person: "person",
  session: "session",
} as const;

/** In one period: two reports for each target, and a few grants. */
const maxEvents = 10_000;

export async function openTally(
  store: Store,
  unwritten: UnwrittenEntries,
  id: string,
  terms: BudgetTerms,
): Promise<Tally> {
  const tally = new Tally(terms, Date.now());
  if (terms.period === "turn") return tally; // a turn ends with its server, so none is running
  const { from } = tally.periodAt(Date.now());
  const period = new Date(from).toISOString();
  const events = await store.budgets.events({ budget: id, period, limit: maxEvents });
  const scope = terms.scope === "everything" ? [] : [scopeDimensions[terms.scope]];
  const groupBy: LedgerGroup[] = [...new Set([...scope, "worker" as const])];
  const range = terms.period === "total" ? {} : { from: period };
  const { snapshot, missing } = await unwritten.readSums(() => store.ledgerSnapshot({ groupBy, ...range }));
  for (const { keys, usage } of snapshot.rows) {
    const { session = "", person = "", cwd = "", worker = "" } = keys;
    if (isImported(worker)) continue; // spent by another program, which no budget can stop
    const target = tally.targetOf({ session, person, cwd, worker });
    const spent = { nanos: toNanoDollars(usage.cost_usd), unpriced: usage.unpriced ?? 0 };
    if (target !== undefined) tally.seed(target, spent);
  }
  for (const entry of missing) {
    const target = tally.targetOf(entry);
    if (target !== undefined) tally.adjust(target, Date.parse(entry.time), spentBy(entry));
  }
  for (const { event, target, amount_usd } of events) {
    if (event === "warned" || event === "exceeded") tally.restore(target, event);
    if (event === "granted") tally.restore(target, { granted: toNanoDollars(amount_usd ?? 0) });
  }
  tally.resetReported(); // a later change may have made room
  return tally;
}
