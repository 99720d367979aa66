// Reports the costs of a turn's calls. When a call is over, the daemon sends only the size of its prompt. The costs are
// queried then (`cost/query` does not wait for the turn), so that a budget can stop a turn in its middle. A call whose
// share is not known is unpriced, never $0.
import * as z from "zod/mini";
import type { OutputFrame } from "../frame-writer.ts";
import type { DaemonCosts, DaemonSpending } from "./daemon-costs.ts";
import type { DaemonClient } from "./rpc-client.ts";

const ContextUsage = z.looseObject({ input_tokens: z.number().check(z.nonnegative()) });

const noTokens = { input: 0, output: 0, cache_read: 0, cache_write: 0 };
const unknownCost = { cost_usd: 0, unpriced: 1, incomplete: true };

export class DaemonTurnCosts {
  readonly #client: DaemonClient;
  readonly #daemonCosts: DaemonCosts;
  readonly #emit: (...frames: OutputFrame[]) => void;
  /** Prompt sizes in tokens of the calls that are over and not charged yet, oldest first. */
  #uncharged: number[] = [];
  /** The model streams in a call whose prompt size the daemon has not sent yet. */
  #hasOpenCall = false;
  /** Some call of this turn is open, or its size came. */
  #hasSeenCall = false;
  #charging: Promise<void> | undefined;
  #isClosed = false;

  constructor(client: DaemonClient, costs: DaemonCosts, emit: (...frames: OutputFrame[]) => void) {
    this.#client = client;
    this.#daemonCosts = costs;
    this.#emit = emit;
    costs.turnStarts(client);
  }

  /** Records the open call: if the connection is lost now, its costs will never be known. */
  callStreams(): void {
    if (this.#hasOpenCall) return;
    this.#hasOpenCall = true;
    this.#hasSeenCall = true;
    this.#emit({ type: "usage_so_far", ...noTokens, ...unknownCost });
  }

  /** A tool is called or asked for: a model said so, also one that streams no text and whose size never comes. */
  toolCalled(): void {
    if (!this.#hasSeenCall) this.callStreams();
  }

  callEnds(update: unknown): void {
    const input = ContextUsage.safeParse(update).data?.input_tokens;
    if (input === undefined) return;
    this.#hasOpenCall = false;
    this.#hasSeenCall = true;
    this.#uncharged.push(input);
    this.#charging ??= this.#chargeEndedCalls();
  }

  /** Returns the usage of the calls that are not charged yet, at the end of the turn. */
  async settle(): Promise<OutputFrame[]> {
    await this.#charging;
    // A call without a size was cut off, or its provider does not report one.
    const prompts = [...this.#uncharged, ...(this.#hasOpenCall ? [0] : [])];
    const spent = await this.#daemonCosts.chargeNew(this.#client);
    if (this.#isClosed) return [];
    this.close();
    const charged = callsIn(spent, prompts.length);
    return [
      ...(spent === undefined ? [] : usageFrames(prompts.slice(0, charged), spent)),
      ...prompts.slice(charged).map(unpricedCall),
    ];
  }

  /** After the connection broke: the costs of the uncharged calls are not known. */
  cut(): OutputFrame[] {
    if (this.#isClosed) return [];
    this.close();
    return [...this.#uncharged, ...(this.#hasOpenCall ? [0] : [])].map(unpricedCall);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#daemonCosts.turnEnds();
  }

  /** Sends one query at a time. Costs that the daemon records late are in the response to a later query. */
  async #chargeEndedCalls(): Promise<void> {
    for (let queried = 0; queried < this.#uncharged.length && !this.#isClosed; ) {
      queried = this.#uncharged.length;
      const spent = await this.#daemonCosts.chargeNew(this.#client);
      if (this.#isClosed || spent === undefined) break;
      const charged = callsIn(spent, this.#uncharged.length); // the sum may include calls that ended meanwhile
      const frames = usageFrames(this.#uncharged.splice(0, charged), spent);
      if (frames.length > 0) this.#emit(...frames);
      queried = Math.max(0, queried - charged);
    }
    this.#charging = undefined;
  }
}

/** How many of the uncharged calls the sum includes. */
function callsIn(spent: DaemonSpending | undefined, calls: number): number {
  if (spent === undefined) return 0;
  return Math.min(calls, spent.calls ?? (spent.nanos + spent.output > 0 ? calls : 0));
}

/** Calls whose costs are only known as a sum are one entry. What belongs to no known call was spent all the same. */
function usageFrames(
  prompts: readonly number[],
  { nanos, output, cached, model }: DaemonSpending,
): OutputFrame[] {
  if (prompts.length === 0 && nanos + output === 0) return [];
  const prompt = prompts.reduce((sum, tokens) => sum + tokens, 0);
  // The size of a prompt includes what came from a cache.
  const cache_read = Math.min(prompt, cached);
  const input = prompt - cache_read;
  // Only the prompt of a single call shows how full the context is.
  const purpose = prompts.length === 1 && prompt > 0 ? {} : { purpose: "calls" };
  // These are not all the tokens of a call without a price: the server must not compute a price from them.
  const part = nanos === 0 ? { unpriced: 1, incomplete: true } : {};
  // The agent is what a person chooses; the model behind it is the daemon's choice.
  const whose = model === undefined ? {} : { model };
  const tokens = { ...noTokens, input, output, cache_read };
  return [{ type: "usage", ...tokens, cost_usd: nanos / 1e9, ended: "whole", ...whose, ...purpose, ...part }];
}

const unpricedCall = (input: number): OutputFrame => ({ type: "usage", ...noTokens, input, ...unknownCost });
