// Estimates what a session's next model call will cost: the most expensive of its last calls of that model, plus what was added to
// the context since. The first call of a model: all its input, and an answer of usual length.
import type { LedgerEntry } from "../../store/ledger-types.ts";
import { costNanos, type Rates } from "../prices/rates.ts";

/** Enough to contain a long answer among short ones. */
const lastCalls = 5;
/** Tokens. Few answers of an agent are longer, and models allow twenty times as many. */
const usualAnswer = 4_096;

interface ExpectedCall {
  provider: string;
  model: string;
  /** Tokens, estimated. */
  input: number;
  max_output?: number | undefined;
}

export class CallEstimate {
  #model = "";
  #costs: number[] = [];
  /** The tokens of the newest call, its answer included. */
  #context = 0;

  add(entry: LedgerEntry): void {
    this.#keepOnly(entry);
    this.#costs = [...this.#costs, entry.cost_nanos].slice(-lastCalls);
    this.#context = entry.input + entry.cache_read + entry.cache_write + entry.output;
  }

  /** In nano-dollars. `rates`: of the model; null: unknown. */
  of(call: ExpectedCall, rates: Rates | null, time: number): number {
    const isFirst = this.#model !== nameOf(call) || this.#costs.length === 0;
    const added = isFirst ? call.input : Math.max(0, call.input - this.#context);
    const answer = isFirst ? Math.min(call.max_output ?? usualAnswer, usualAnswer) : 0;
    const tokens = { input: added, output: answer, cache_read: 0, cache_write: 0 };
    const rated = rates === null ? 0 : costNanos(rates, tokens, time);
    return rated + (isFirst ? 0 : Math.max(...this.#costs));
  }

  #keepOnly(call: { provider: string; model: string }): void {
    if (this.#model === nameOf(call)) return;
    this.#model = nameOf(call);
    this.#costs = [];
  }
}

const nameOf = ({ provider, model }: { provider: string; model: string }): string => `${provider}/${model}`;
