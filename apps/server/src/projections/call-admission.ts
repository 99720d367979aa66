// Admits the model calls of a session to its hard budgets: reserves what each is expected to cost, before it is made. An agent that
// asks before each call gets a permit; for one that does not, each turn reserves the cost of a call.
import type { CallPermitCommand, CallPermitRequestEvent } from "@patchbay/protocol";
import type { Budgets } from "../costs/budgets/budgets.ts";
import { CallEstimate } from "../costs/budgets/call-estimate.ts";
import type { Stop } from "../costs/budgets/reservations.ts";
import type { Spender } from "../costs/budgets/tally.ts";
import type { Prices } from "../costs/prices/prices.ts";
import type { LedgerEntry } from "../store/ledger-types.ts";
import type { SessionRecord } from "../store/session-record.ts";
import { spenderOf } from "./ledger-entry.ts";
import type { RecordSource } from "./projected-log.ts";

interface AdmissionOptions {
  budgets: Budgets;
  prices: Prices;
  record: RecordSource;
  /** A call waits until others are over. */
  waits(message: string): void;
  /** A call was denied, or a turn must end, because of a budget. */
  stops(how: "denied" | "turn", stop: Stop, spender: Spender): void;
}

/** Workers with this capability ask before each call. */
const asking = "call_permits";

export class CallAdmission {
  readonly #options: AdmissionOptions;
  readonly #estimate = new CallEstimate();
  #permitTo: (permit: CallPermitCommand) => void = () => {};
  /** The model of the newest call, if no source knew its price, and the session's model at that time. */
  #unpriced: { provider: string; model: string; chosen: string } | undefined;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** Permits are given to the worker. */
  permitTo(give: (permit: CallPermitCommand) => void): void {
    this.#permitTo = give;
  }

  /** Whether the session's worker must ask before each call. */
  get needsPermits(): boolean {
    const { budgets } = this.#options;
    return !budgets.isEmpty && budgets.limits(spenderOf(this.#record));
  }

  /** Why no turn may start now. */
  refusal(): Stop | undefined {
    if (this.#options.budgets.isEmpty) return undefined;
    const { capabilities } = this.#record;
    // An agent that has not started yet may ask; it is known when the prompt is given to it, which is decided here again.
    const asks = capabilities?.includes(asking) ?? true;
    return this.#options.budgets.refusal(spenderOf(this.#record), { asks, unpriced: this.#unpricedModel() });
  }

  turnBegan(): void {
    const { budgets, stops } = this.#options;
    const { capabilities, provider, model } = this.#record;
    if (capabilities?.includes(asking) === true || !this.needsPermits) return;
    const spender = spenderOf(this.#record);
    budgets.reserveTurn({
      spender,
      nanos: this.#expectedNanos({ provider, model, input: 0 }),
      stopTurn: (stop) => stops("turn", stop, spender),
    });
  }

  turnEnded(): void {
    this.#options.budgets.release(this.#record.id);
  }

  /** The worker's call is over, or it gave the call up. */
  callEnded(): void {
    this.#options.budgets.releaseCall(this.#record.id);
  }

  request({ id, provider, model, input, max_output, priced = false }: CallPermitRequestEvent): void {
    const { budgets, prices, waits, stops } = this.#options;
    const spender = spenderOf(this.#record);
    const call = {
      spender,
      provider,
      model,
      priced: prices.knows(provider, model, priced),
      nanos: this.#expectedNanos({ provider, model, input, max_output }),
    };
    budgets.requestCall(call, (decision) => {
      if (decision.is === "waiting") return waits(decision.message);
      if (decision.is === "allowed") return this.#permitTo({ type: "call_permit", id, allowed: true });
      const { stop } = decision;
      stops("denied", stop, spender);
      this.#permitTo({ type: "call_permit", id, allowed: false, reason: stop.message });
    });
  }

  /** A call is in the ledger. Whether no source knows a price of its model. */
  counted(entry: LedgerEntry): boolean {
    const { provider, model, price } = entry;
    this.#estimate.add(entry);
    const isUnknown = price === "none" && !this.#options.prices.knows(provider, model, false);
    this.#unpriced = isUnknown ? { provider, model, chosen: modelOf(this.#record) } : undefined;
    return isUnknown;
  }

  get #record(): SessionRecord {
    return this.#options.record.current;
  }

  /** Undefined also when the person chose another model since, or entered a price. */
  #unpricedModel(): { provider: string; model: string } | undefined {
    const { provider, model, chosen } = this.#unpriced ?? {};
    if (provider === undefined || model === undefined || chosen !== modelOf(this.#record)) return undefined;
    return this.#options.prices.knows(provider, model, false) ? undefined : { provider, model };
  }

  #expectedNanos(call: Parameters<CallEstimate["of"]>[0]): number {
    const rates = this.#options.prices.ratesOf(call.provider, call.model)?.rates ?? null;
    return this.#estimate.of(call, rates, Date.now());
  }
}

const modelOf = ({ provider, model }: SessionRecord): string => `${provider}/${model}`;
