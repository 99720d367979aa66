// What a turn has cost. The daemon pushes the size of each call's prompt and nothing else; what was spent since the turn
// began it tells when asked, for all of its sessions together (charged-time.ts keeps those of ours apart). Where it does not (tracking is off, or it is an older one)
// costs are unknown, not nothing.
import * as z from "zod/mini";
import type { OwnFrame } from "../acp/outlet.ts";
import type { ChargedTime } from "./charged-time.ts";
import type { RpcClient } from "./rpc-client.ts";

const count = z.catch(z.number().check(z.nonnegative()), 0);
const Spent = z.looseObject({
  session_cost_usd: z.number().check(z.nonnegative()),
  by_model: z.catch(z.record(z.string(), z.looseObject({ output_tokens: count })), {}),
});
const ContextUsage = z.looseObject({ input_tokens: z.number().check(z.nonnegative()) });

interface Spending {
  output: number;
  cost_usd: number;
  costs_nothing?: boolean;
  incomplete?: boolean;
}

export class TurnCosts {
  readonly #rpc: RpcClient;
  readonly #time: ChargedTime;
  readonly #from = Date.now();
  /** The prompt of each model call, in tokens. */
  readonly #prompts: number[] = [];

  constructor(rpc: RpcClient, time: ChargedTime) {
    this.#rpc = rpc;
    this.#time = time;
    time.begin(this.#from);
  }

  /** The turn is over, settled or not. */
  close(): void {
    this.#time.drop(this.#from);
  }

  /** The same size told again is no further call. */
  note(update: unknown): void {
    const input = ContextUsage.safeParse(update).data?.input_tokens;
    if (input !== undefined && input !== this.#prompts.at(-1)) this.#prompts.push(input);
  }

  /** A frame for each call; the last one has what all of them cost. */
  async settle(): Promise<OwnFrame[]> {
    if (this.#prompts.length === 0) return [];
    const spent = await this.#ask();
    const last = this.#prompts.length - 1;
    return this.#prompts.map((input, index) => {
      const call = { type: "usage", input, output: 0, cache_read: 0, cache_write: 0, cost_usd: 0 };
      if (spent === undefined) return { ...call, unpriced: 1, incomplete: true };
      return index === last ? { ...call, ...spent } : { ...call, costs_nothing: true };
    });
  }

  async #ask(): Promise<Spending | undefined> {
    const total = { output: 0, micros: 0 };
    try {
      for (const [from, to] of this.#time.claim(this.#from, Date.now())) {
        const window = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
        const { data } = Spent.safeParse(await this.#rpc.call("cost/query", window));
        if (data === undefined) return undefined;
        total.output += Object.values(data.by_model).reduce((sum, model) => sum + model.output_tokens, 0);
        total.micros += Math.round(data.session_cost_usd * 1e6);
      }
      const told = { output: total.output, cost_usd: total.micros / 1e6 };
      if (total.micros > 0) return told;
      // A turn beside it was charged with what it spent; or the daemon has no price for the tokens that it counts.
      return total.output === 0 ? { ...told, costs_nothing: true } : { ...told, incomplete: true };
    } catch {
      return undefined; // it keeps no account, or the connection broke, which shows elsewhere
    }
  }
}
