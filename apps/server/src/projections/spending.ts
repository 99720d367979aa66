// What a session spends, as its usage frames tell: an entry in the ledger for each, a price for what the worker
// could not price itself, and the budgets it has to keep to.
import { addUsage, type BudgetFrame, changePrice, type Usage, type UsageEvent } from "@patchbay/protocol";
import type { Stop } from "../costs/budgets/budgets.ts";
import type { Spender } from "../costs/budgets/tally.ts";
import type { LoadedSession } from "../session/load-session.ts";
import { appendOwn, type Book } from "../session/log/own-frames.ts";
import type { SessionDependencies } from "../session/session-dependencies.ts";
import type { TurnsOptions } from "../session/turns/turns-options.ts";
import type { LedgerEntry } from "../store/ledger-types.ts";
import type { SessionRecord } from "../store/store.ts";
import { pricedFrame, projectOf, usageOf } from "./ledger-entry.ts";
import { LedgerEntries } from "./ledger-writer.ts";

type Needed = Pick<SessionDependencies, "store" | "prices" | "budgets">;

interface SpendingListener {
  /** The ledger could not be written; told of the first of several failures. */
  failed(error: unknown): void;
  /** The session has spent more, or less, than was known. */
  changed(): void;
  /** A budget is used up: whatever runs is to end. Never rejects. */
  stop(): Promise<void>;
}

type Told = Pick<BudgetFrame, "event" | "budget" | "message">;

export class Spending {
  readonly #budgets: Needed["budgets"];
  readonly #book: Book;
  readonly #ledger: LedgerEntries;
  readonly #listener: SpendingListener;
  /** This turn was stopped, and people were told. */
  #stopped = false;
  #stopping = false;
  #isHolding: boolean;
  #usage: Usage;

  /** `usage`: so far, as the ledger knew it. */
  constructor(deps: Needed, loaded: LoadedSession, usage: Usage, listener: SpendingListener) {
    this.#budgets = deps.budgets;
    this.#book = loaded;
    this.#isHolding = loaded.wasHeld;
    this.#listener = listener;
    this.#usage = addUsage(usage, loaded.newUsage);
    this.#ledger = new LedgerEntries(deps, loaded.turn, (error) => listener.failed(error));
  }

  /** All that the session has spent. */
  get usage(): Usage {
    return this.#usage;
  }

  /** A budget did not let begin what waited; what still waits begins as soon as there is room. */
  get isHolding(): boolean {
    return this.#isHolding;
  }

  /** A prompt's frame: what is spent from here on is spent for it. */
  prompted(seq: number): void {
    this.#ledger.prompted(seq);
  }

  /** Called while its run is being read. */
  frame(frame: UsageEvent, seq: number, session: SessionRecord): LedgerEntry {
    const entry = this.#ledger.add(frame, seq, session, this.#book.journal);
    // After the run it came in: a frame of ours in the middle would take the number of one of the worker's.
    const priced = pricedFrame(frame, entry);
    if (priced !== null) queueMicrotask(() => appendOwn(this.#book, priced));
    this.#usage = addUsage(this.#usage, usageOf(entry));
    this.#listener.changed();
    const { told, stop } = this.#budgets.spend(entry);
    for (const each of told) queueMicrotask(() => this.tell(each));
    if (stop !== undefined) queueMicrotask(() => this.#stop(stop, entry));
    return entry;
  }

  /** Calls of the past cost something else from now on. */
  repriced(change: Parameters<typeof changePrice>[1]): void {
    this.#usage = changePrice(this.#usage, change);
    this.#listener.changed();
  }

  /** What the session's turns have to keep to. */
  guard(session: () => SessionRecord): Pick<TurnsOptions, "refusal" | "began" | "held" | "wasHeld"> {
    return {
      wasHeld: this.#isHolding,
      refusal: () => this.#budgets.refusal(spenderOf(session()))?.message,
      began: () => {
        this.#stopped = false;
        this.#budgets.turnBegan(session().id);
      },
      held: (message) => {
        this.#isHolding = true;
        this.tell({ event: "held", message });
      },
    };
  }

  /** What concerns a budget is part of the log. */
  tell(told: Told): void {
    appendOwn(this.#book, { type: "budget", time: new Date().toISOString(), ...told });
    this.#listener.changed();
  }

  #stop(stop: Stop, spender: Spender): void {
    if (!this.#stopped) {
      this.#stopped = true;
      this.tell({ event: "stopped", ...stop });
      this.#budgets.stopped(spender, stop);
    }
    if (this.#stopping) return;
    this.#stopping = true;
    void this.#listener.stop().finally(() => {
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

export const spenderOf = (
  session: Pick<SessionRecord, "id" | "cwd" | "worker"> & { project?: string | undefined },
): Spender => ({
  session: session.id,
  person: "",
  cwd: projectOf(session),
  worker: session.worker,
});
