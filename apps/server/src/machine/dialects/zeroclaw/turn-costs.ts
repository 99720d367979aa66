// What the calls of a turn cost. The daemon pushes the size of each call's prompt when the call is over and nothing else, so
// it is asked then (`cost/query` waits for no turn): a budget is kept to within a turn. A call whose share is not known is
// unpriced, never $0.
import * as z from "zod/mini";
import type { OwnFrame } from "../frame-output.ts";
import type { DaemonAccount, Spent } from "./daemon-costs.ts";
import type { RpcClient } from "./rpc-client.ts";

const ContextUsage = z.looseObject({ input_tokens: z.number().check(z.nonnegative()) });

const noTokens = { input: 0, output: 0, cache_read: 0, cache_write: 0 };
const unknown = { cost_usd: 0, unpriced: 1, incomplete: true };

export class TurnCosts {
  readonly #rpc: RpcClient;
  readonly #account: DaemonAccount;
  readonly #emit: (...frames: OwnFrame[]) => void;
  /** The prompts of calls that are over and not charged yet, in tokens, oldest first. */
  #prompts: number[] = [];
  /** The model speaks in a call that the daemon has not told the size of. */
  #isSpeaking = false;
  #asking: Promise<void> | undefined;
  #isClosed = false;

  constructor(rpc: RpcClient, account: DaemonAccount, emit: (...frames: OwnFrame[]) => void) {
    this.#rpc = rpc;
    this.#account = account;
    this.#emit = emit;
    account.begin(rpc);
  }

  /** If the connection is lost now, this call was begun, and nobody knows what it costs. */
  speaks(): void {
    if (this.#isSpeaking) return;
    this.#isSpeaking = true;
    this.#emit({ type: "usage_so_far", ...noTokens, ...unknown });
  }

  /** A call is over. */
  note(update: unknown): void {
    const input = ContextUsage.safeParse(update).data?.input_tokens;
    if (input === undefined) return;
    this.#isSpeaking = false;
    this.#prompts.push(input);
    this.#asking ??= this.#askWhileThereAreNew();
  }

  /** The turn is over: the rest of its calls. */
  async settle(): Promise<OwnFrame[]> {
    await this.#asking;
    // A call without a size is one of a provider that does not tell, or was cut.
    const prompts = [...this.#prompts, ...(this.#isSpeaking ? [0] : [])];
    const spent = await this.#account.claim(this.#rpc);
    if (this.#isClosed) return [];
    this.close();
    const charged = callsIn(spent, prompts.length);
    return [
      ...(spent === undefined ? [] : chargeFor(prompts.slice(0, charged), spent)),
      ...prompts.slice(charged).map(unknownCall),
    ];
  }

  /** The connection broke: what was not charged by now is not known. */
  cut(): OwnFrame[] {
    if (this.#isClosed) return [];
    this.close();
    return [...this.#prompts, ...(this.#isSpeaking ? [0] : [])].map(unknownCall);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#account.end();
  }

  /** One question at a time; what a slow bookkeeper has not got yet is in the answer to a later one. */
  async #askWhileThereAreNew(): Promise<void> {
    for (let asked = 0; asked < this.#prompts.length && !this.#isClosed; ) {
      asked = this.#prompts.length;
      const spent = await this.#account.claim(this.#rpc);
      if (this.#isClosed || spent === undefined) break;
      const charged = callsIn(spent, this.#prompts.length); // the sum may have those that came meanwhile
      const frames = chargeFor(this.#prompts.splice(0, charged), spent);
      if (frames.length > 0) this.#emit(...frames);
      asked = Math.max(0, asked - charged);
    }
    this.#asking = undefined;
  }
}

/** For how many of them the sum is. */
function callsIn(spent: Spent | undefined, calls: number): number {
  if (spent === undefined) return 0;
  return Math.min(calls, spent.calls ?? (spent.micros + spent.output > 0 ? calls : 0));
}

/** Calls that can only be told together are one entry. What belongs to no call that was told of was spent all the same. */
function chargeFor(prompts: readonly number[], { micros, output }: Spent): OwnFrame[] {
  if (prompts.length === 0 && micros + output === 0) return [];
  const input = prompts.reduce((sum, tokens) => sum + tokens, 0);
  // Only the size of one prompt says how full the context is.
  const purpose = prompts.length === 1 && input > 0 ? {} : { purpose: "calls" };
  // Of a call without a price these are not all the tokens: nobody may price them.
  const part = micros === 0 ? { unpriced: 1, incomplete: true } : {};
  return [{ type: "usage", ...noTokens, input, output, cost_usd: micros / 1e6, ...purpose, ...part }];
}

const unknownCall = (input: number): OwnFrame => ({ type: "usage", ...noTokens, input, ...unknown });
