// The spending of a session, from its usage frames: a ledger entry for each, a price for calls that the worker could
// not price itself, and the budgets that apply to it.
import { addUsage, type BudgetFrame, type CostChange, changePrice, type Usage } from "@patchbay/protocol";
import type { Budgets } from "../costs/budgets/budgets.ts";
import type { Stop } from "../costs/budgets/reservations.ts";
import type { Spender } from "../costs/budgets/tally.ts";
import type { Prices } from "../costs/prices/prices.ts";
import type { Machine } from "../machine/machine.ts";
import type { LedgerEntry } from "../store/ledger-types.ts";
import type { Store } from "../store/store.ts";
import { CallAdmission } from "./call-admission.ts";
import type { Charge } from "./call-tracker.ts";
import { pricedFrame, usageOf } from "./ledger-entry.ts";
import { LedgerWriter } from "./ledger-writer.ts";
import type { ProjectedLog, RecordSource } from "./projected-log.ts";

interface Dependencies {
  store: Store;
  prices: Prices;
  budgets: Budgets;
  machine: Pick<Machine, "directories">;
}

/** The budgets as a session's turns see them. */
export interface SpendingGuard {
  /** When the session was opened, a budget held its queue, and viewers had been notified. */
  readonly wasHeld: boolean;
  /** Why nothing may start now, for a person; undefined: it may. */
  refusal(): string | undefined;
  /** A turn begins. */
  began(): void;
  /** It is over, or did not begin. */
  ended(): void;
  /** The queue is held; `why` is shown to viewers. */
  held(why: string): void;
}

interface SpendingListener {
  /** The ledger could not be written; called for the first of consecutive failures. */
  failed(error: unknown): void;
  /** The session has spent more, or less, than was known. */
  spent(): void;
}

type BudgetNotice = Pick<BudgetFrame, "event" | "budget" | "message">;

export class Spending implements SpendingGuard {
  readonly admission: CallAdmission;
  readonly #budgets: Budgets;
  readonly #log: ProjectedLog;
  readonly #record: RecordSource;
  readonly #ledger: LedgerWriter;
  readonly #listener: SpendingListener;
  readonly wasHeld: boolean;
  /** Ends the worker's work; never rejects. */
  #endTurn: () => Promise<void> = () => Promise.resolve();
  /** This turn was stopped by a budget, and the log has the notice. */
  #stopped = false;
  #stopping = false;
  #isHolding: boolean;
  /** The model that the running call began with. */
  #began: Pick<RecordSource["current"], "provider" | "model"> | undefined;
  #usage: Usage;

  /** `usage`: so far, according to the ledger. */
  constructor(
    deps: Dependencies,
    log: ProjectedLog,
    record: RecordSource,
    opened: { turn: number; causedBy: string | undefined; wasHeld: boolean; newUsage: Usage },
    usage: Usage,
    listener: SpendingListener,
  ) {
    this.#budgets = deps.budgets;
    this.#log = log;
    this.#record = record;
    this.wasHeld = opened.wasHeld;
    this.#isHolding = opened.wasHeld;
    this.#listener = listener;
    this.#usage = addUsage(usage, opened.newUsage);
    this.admission = new CallAdmission({
      ...{ budgets: deps.budgets, prices: deps.prices, record },
      waits: (message) => this.note({ event: "waiting", message }),
      stops: (how, stop, spender) => {
        this.#noteStop(stop, spender);
        if (how === "turn") this.#endWork();
      },
    });
    this.#ledger = new LedgerWriter(deps, log, opened, (error) => listener.failed(error));
  }

  /** `endTurn` is called when a budget is used up. It must not reject. */
  onUsedUp(endTurn: () => Promise<void>): void {
    this.#endTurn = endTurn;
  }

  /** All that the session has spent. */
  get usage(): Usage {
    return this.#usage;
  }

  /** A budget has held the queue; what still waits starts as soon as the budget allows it. */
  get isHolding(): boolean {
    return this.#isHolding;
  }

  /** A prompt's frame: spending from here on is charged to it. */
  prompted(seq: number, causedBy: string | undefined): void {
    this.#ledger.prompted(seq, causedBy);
  }

  /** A model call begins: it is charged to the model of now, also when a person chooses another one meanwhile. */
  callBegins(): void {
    const { provider, model } = this.#record.current;
    this.#began = { provider, model };
  }

  turnEnds(): void {
    this.#began = undefined;
  }

  charge({ usage, seq, reported }: Charge): LedgerEntry {
    const entry = this.#ledger.add(usage, seq, { ...this.#record.current, ...this.#began });
    const priced = pricedFrame(reported, entry);
    if (priced !== null) this.#log.appendOwn(priced);
    this.#usage = addUsage(this.#usage, usageOf(entry));
    this.#listener.spent();
    const { notices, stop } = this.#budgets.spend(entry, this.admission.counted(entry));
    for (const notice of notices) this.note(notice);
    if (stop !== undefined) this.#log.afterRun(() => this.#stop(stop, entry));
    return entry;
  }

  /** Past calls were repriced. */
  repriced(change: CostChange): void {
    this.#usage = changePrice(this.#usage, change);
    this.#listener.spent();
  }

  refusal(): string | undefined {
    return this.admission.refusal()?.message;
  }

  began(): void {
    this.#stopped = false;
    this.#budgets.turnBegan(this.#record.current.id);
    this.admission.turnBegan();
  }

  ended(): void {
    this.admission.turnEnded();
  }

  held(message: string): void {
    this.#isHolding = true;
    this.note({ event: "held", message });
  }

  /** Logs a notice of a budget. */
  note(notice: BudgetNotice): void {
    this.#log.appendOwn({ type: "budget", time: new Date().toISOString(), ...notice });
    this.#listener.spent();
  }

  #stop(stop: Stop, spender: Spender): void {
    this.#noteStop(stop, spender);
    this.#endWork();
  }

  #noteStop(stop: Stop, spender: Spender): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.note({ event: "stopped", ...stop });
    this.#budgets.stopped(spender, stop);
  }

  #endWork(): void {
    if (this.#stopping) return;
    this.#stopping = true;
    void this.#endTurn().finally(() => {
      this.#stopping = false;
    });
  }

  written(): Promise<void> {
    return this.#ledger.written();
  }

  flushed(): Promise<void> {
    return this.#ledger.flushed();
  }
}
