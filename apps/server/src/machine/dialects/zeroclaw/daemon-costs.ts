// What our turns were charged with. The daemon tells what all of its sessions spent since a moment: turns of ours that
// overlap would each be charged with both, so whoever asks is charged with what nobody was charged with yet.
import * as z from "zod/mini";
import type { RpcClient } from "./rpc-client.ts";

const count = z.catch(z.number().check(z.nonnegative()), 0);
const Told = z.looseObject({
  session_cost_usd: z.number().check(z.nonnegative()),
  by_model: z.catch(
    z.record(z.string(), z.looseObject({ output_tokens: count, request_count: z.optional(count) })),
    {},
  ),
});

export interface Spent {
  micros: number;
  output: number;
  /** Calls that are in it; undefined: the daemon does not count them. */
  calls: number | undefined;
}

const nothing: Spent = { micros: 0, output: 0, calls: 0 };
/** A record of this very moment must not be left out. */
const aheadMs = 60_000;

export class DaemonAccount {
  /** Turns that may still ask. */
  #open = 0;
  /** Since when is asked for: all the time in which a turn of ours ran without a pause. */
  #from = 0;
  /** What it told before the first of them; an older daemon tells what was spent since it started, whatever is asked. */
  #before: Promise<unknown> = Promise.resolve();
  #charged = nothing;

  /** To be called before the prompt is sent: the daemon answers in order. */
  begin(rpc: RpcClient): void {
    if (this.#open++ > 0) return;
    this.#from = Date.now();
    this.#charged = nothing;
    this.#before = this.#ask(rpc).then((told) => {
      this.#charged = told ?? nothing;
    });
  }

  end(): void {
    this.#open--;
  }

  /** What was spent since anybody asked last; undefined when the daemon keeps no account, or the connection broke. */
  async claim(rpc: RpcClient): Promise<Spent | undefined> {
    await this.#before;
    const now = await this.#ask(rpc);
    if (now === undefined) return undefined;
    const before = this.#charged;
    // An answer that was overtaken by another turn's has nothing new.
    this.#charged = {
      micros: Math.max(now.micros, before.micros),
      output: Math.max(now.output, before.output),
      calls: now.calls === undefined ? undefined : Math.max(now.calls, before.calls ?? 0),
    };
    return {
      micros: this.#charged.micros - before.micros,
      output: this.#charged.output - before.output,
      calls: this.#charged.calls === undefined ? undefined : this.#charged.calls - (before.calls ?? 0),
    };
  }

  async #ask(rpc: RpcClient): Promise<Spent | undefined> {
    try {
      const window = { from: time(this.#from), to: time(Date.now() + aheadMs) };
      const { data } = Told.safeParse(await rpc.call("cost/query", window));
      return data === undefined ? undefined : totals(data);
    } catch {
      return undefined; // it keeps none, or the connection broke, which shows elsewhere
    }
  }
}

function totals({ session_cost_usd, by_model }: z.infer<typeof Told>): Spent {
  const models = Object.values(by_model);
  const counts = models.flatMap(({ request_count }) => request_count ?? []);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    micros: Math.round(session_cost_usd * 1e6),
    output: sum(models.map(({ output_tokens }) => output_tokens)),
    calls:
      counts.length === models.length && (models.length > 0 || session_cost_usd === 0)
        ? sum(counts)
        : undefined,
  };
}

const time = (ms: number): string => new Date(ms).toISOString();

const daemons = new Map<number, DaemonAccount>();

/** The same for all that speak with the daemon of this process. */
export function accountOf(pid: number): DaemonAccount {
  const known = daemons.get(pid) ?? new DaemonAccount();
  daemons.set(pid, known);
  return known;
}
