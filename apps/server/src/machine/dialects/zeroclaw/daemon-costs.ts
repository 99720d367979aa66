// Divides what the daemon reports as spent among the turns of this server. The daemon reports the sum of all its sessions
// since a given time. Two overlapping turns would both be charged with that sum, so each query is charged only with the part
// that no earlier query was charged with.
import * as z from "zod/mini";
import type { DaemonClient } from "./rpc-client.ts";

const count = z.catch(z.number().check(z.nonnegative()), 0);
const CostReport = z.looseObject({
  session_cost_usd: z.number().check(z.nonnegative()),
  by_model: z.catch(
    z.record(z.string(), z.looseObject({ output_tokens: count, request_count: z.optional(count) })),
    {},
  ),
});

export interface DaemonSpending {
  nanos: number;
  output: number;
  /** Calls that are in the sum. Undefined: the daemon does not count them. */
  calls: number | undefined;
}

const nothing: DaemonSpending = { nanos: 0, output: 0, calls: 0 };
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
    this.#charged = {
      nanos: Math.max(now.nanos, before.nanos),
      output: Math.max(now.output, before.output),
      calls: now.calls === undefined ? undefined : Math.max(now.calls, before.calls ?? 0),
    };
    return {
      nanos: this.#charged.nanos - before.nanos,
      output: this.#charged.output - before.output,
      calls: this.#charged.calls === undefined ? undefined : this.#charged.calls - (before.calls ?? 0),
    };
  }

  async #query(client: DaemonClient): Promise<DaemonSpending | undefined> {
    try {
      const window = { from: time(this.#from), to: time(Date.now() + aheadMs) };
      const { data } = CostReport.safeParse(await client.call("cost/query", window));
      return data === undefined ? undefined : totals(data);
    } catch {
      return undefined; // the daemon counts no costs, or the connection broke, which is handled elsewhere
    }
  }
}

function totals({ session_cost_usd, by_model }: z.infer<typeof CostReport>): DaemonSpending {
  const models = Object.values(by_model);
  const counts = models.flatMap(({ request_count }) => request_count ?? []);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    nanos: Math.round(session_cost_usd * 1e9),
    output: sum(models.map(({ output_tokens }) => output_tokens)),
    calls:
      counts.length === models.length && (models.length > 0 || session_cost_usd === 0)
        ? sum(counts)
        : undefined,
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
