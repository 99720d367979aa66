// Costs as Prometheus counters: totals since the first entry, by provider, model and worker. They decrease only when calls are
// repriced, which Prometheus treats as a restart.
import { Counter, Gauge, type Registry } from "prom-client";
import type { Hub } from "../../session/hub/hub.ts";
import { spendingNow } from "../../session/hub/spending-now.ts";
import type { LedgerRow, LedgerSums } from "../../store/ledger-types.ts";
import { addSums } from "../../store/ledger-types.ts";
import { quarterMs } from "../../store/quarters.ts";
import type { Store } from "../../store/store.ts";

const labels = ["provider", "model", "worker"] as const;
const kinds = ["input", "output", "cache_read", "cache_write", "thinking"] as const;

/** Returns a function that updates the metrics. */
export function costMetrics(registry: Registry, store: Store, hub: Hub): () => Promise<void> {
  const counter = (name: string, help: string, ...more: string[]) =>
    new Counter({ name, help, labelNames: [...labels, ...more], registers: [registry] });
  const cost = counter("patchbay_cost_dollars_total", "What model calls with a known price cost.");
  const calls = counter("patchbay_model_calls_total", "Model calls.");
  const unpriced = counter("patchbay_unpriced_calls_total", "Model calls without a known price.");
  const tokens = counter("patchbay_tokens_total", "Tokens by kind; thinking is part of the output.", "kind");
  const burn = new Gauge({
    name: "patchbay_burn_dollars_per_hour",
    help: "What the last ten minutes cost, per hour.",
    registers: [registry],
  });
  const totals = new CostTotals(store);

  return async () => {
    for (const each of [cost, calls, unpriced, tokens]) each.reset();
    for (const { keys, usage } of await totals.rows(Date.now())) {
      const named = { provider: keys.provider ?? "", model: keys.model ?? "", worker: keys.worker ?? "" };
      // A model without any priced call has no cost. Zero would be wrong.
      if (usage.calls > (usage.unpriced ?? 0)) cost.inc(named, usage.cost_usd);
      calls.inc(named, usage.calls);
      unpriced.inc(named, usage.unpriced ?? 0);
      for (const kind of kinds) tokens.inc({ ...named, kind }, usage[kind]);
    }
    burn.set((await spendingNow(store, hub, Date.now(), () => true)).cost_usd_per_hour);
  };
}

/** Prometheus scrapes every few seconds and a ledger can be years long, so past totals are cached. */
class CostTotals {
  static readonly #refreshMs = 10 * 60_000;
  readonly #store: Store;
  #past: { until: number; rows: LedgerRow[] } | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  async rows(now: number): Promise<LedgerRow[]> {
    if (this.#past === undefined || now - this.#past.until > CostTotals.#refreshMs + quarterMs) {
      const until = Math.floor(now / quarterMs) * quarterMs;
      this.#past = { until, rows: await this.#query({ to: until }) };
    }
    const sums = new Map<string, LedgerRow>();
    for (const row of [...this.#past.rows, ...(await this.#query({ from: this.#past.until }))]) {
      const name = JSON.stringify(row.keys);
      sums.set(name, { keys: row.keys, usage: added(sums.get(name)?.usage, row.usage) });
    }
    return [...sums.values()];
  }

  #query({ from, to }: { from?: number; to?: number }): Promise<LedgerRow[]> {
    const iso = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString());
    return this.#store.queryLedger({ from: iso(from), to: iso(to), groupBy: labels });
  }
}

const added = (a: LedgerSums | undefined, b: LedgerSums): LedgerSums => (a === undefined ? b : addSums(a, b));
