// Divides what the daemon reports as spent among the turns of this server. The daemon reports the sum of all its sessions
// since a given time. Two overlapping turns would both be charged with that sum, so each query is charged only with the part
// that no earlier query was charged with.
import * as z from "zod/mini";
import type { DaemonClient } from "./rpc-client.ts";

const count = z.catch(z.number().check(z.nonnegative()), 0);
const CostReport = z.looseObject({
  session_cost_usd: z.number().check(z.nonnegative()),
  by_model: z.catch(
    z.record(
      z.string(),
      z.looseObject({ output_tokens: count, cached_input_tokens: count, request_count: z.optional(count) }),
    ),
    {},
  ),
});

export interface DaemonSpending {
  nanos: number;
  output: number;
  /** Of the prompts, what came from a cache. */
  cached: number;
  /** The model that was called, if it was one. */
  model?: string;
  /** Calls that are in the sum. Undefined: the daemon does not count them. */
  calls: number | undefined;
}

/** What was spent on each model so far. */
interface DaemonTotals {
  sum: DaemonSpending;
  models: ReadonlyMap<string, number>;
}

const nothing: DaemonTotals = { sum: { nanos: 0, output: 0, cached: 0, calls: 0 }, models: new Map() };
/** Puts the end of the window into the future, so that a record of this very moment is not left out. */
const aheadMs = 60_000;

export class DaemonCosts {
  #runningTurns = 0;
  /** Start of the window that is queried: since then a turn of this server has always been running. */
  #from = 0;
  /** The query before the first of these turns. An older daemon ignores the window and reports since its own start. */
  #baseline: Promise<unknown> = Promise.resolve();
  #charged = nothing;

  /** Must be called before the prompt is sent: the daemon answers in order. */
  turnStarts(client: DaemonClient): void {
    if (this.#runningTurns++ > 0) return;
    this.#from = Date.now();
    this.#charged = nothing;
    this.#baseline = this.#query(client).then((spent) => {
      this.#charged = spent ?? nothing;
    });
  }

  turnEnds(): void {
    this.#runningTurns--;
  }

  /** Returns and charges what was spent since the last call. Undefined: the daemon counts no costs, or the connection broke. */
  async chargeNew(client: DaemonClient): Promise<DaemonSpending | undefined> {
    await this.#baseline;
    const now = await this.#query(client);
    if (now === undefined) return undefined;
    const before = this.#charged;
    // The response to another turn's later query may have come first. This one then has nothing new.
    const sum: DaemonSpending = {
      nanos: Math.max(now.sum.nanos, before.sum.nanos),
      output: Math.max(now.sum.output, before.sum.output),
      cached: Math.max(now.sum.cached, before.sum.cached),
      calls: now.sum.calls === undefined ? undefined : Math.max(now.sum.calls, before.sum.calls ?? 0),
    };
    this.#charged = { sum, models: new Map([...before.models, ...now.models]) };
    const called = [...now.models].filter(([name, output]) => output > (before.models.get(name) ?? 0));
    const [only, ...others] = called.map(([name]) => name);
    return {
      nanos: sum.nanos - before.sum.nanos,
      output: sum.output - before.sum.output,
      cached: sum.cached - before.sum.cached,
      calls: sum.calls === undefined ? undefined : sum.calls - (before.sum.calls ?? 0),
      ...(only === undefined || others.length > 0 ? {} : { model: only }),
    };
  }

  async #query(client: DaemonClient): Promise<DaemonTotals | undefined> {
    try {
      const window = { from: time(this.#from), to: time(Date.now() + aheadMs) };
      const { data } = CostReport.safeParse(await client.call("cost/query", window));
      return data === undefined ? undefined : totals(data);
    } catch {
      return undefined; // the daemon counts no costs, or the connection broke, which is handled elsewhere
    }
  }
}

function totals({ session_cost_usd, by_model }: z.infer<typeof CostReport>): DaemonTotals {
  const models = Object.values(by_model);
  const counts = models.flatMap(({ request_count }) => request_count ?? []);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    sum: {
      nanos: Math.round(session_cost_usd * 1e9),
      output: sum(models.map(({ output_tokens }) => output_tokens)),
      cached: sum(models.map(({ cached_input_tokens }) => cached_input_tokens)),
      calls:
        counts.length === models.length && (models.length > 0 || session_cost_usd === 0)
          ? sum(counts)
          : undefined,
    },
    models: new Map(
      Object.entries(by_model).map(([name, { output_tokens, request_count }]) => [
        name,
        request_count ?? output_tokens,
      ]),
    ),
  };
}

const time = (ms: number): string => new Date(ms).toISOString();

const daemons = new Map<number, DaemonCosts>();

/** All sessions at the daemon with this process id share one. */
export function daemonCosts(pid: number): DaemonCosts {
  const known = daemons.get(pid) ?? new DaemonCosts();
  daemons.set(pid, known);
  return known;
}
