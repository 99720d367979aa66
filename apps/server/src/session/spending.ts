// What a session spends, as its usage frames tell: an entry in the ledger for each, and a price for what the
// worker could not price itself.
import { addUsage, changePrice, type Usage, type UsageEvent } from "@patchbay/protocol";
import type { LedgerEntry, SessionRecord } from "../store/store.ts";
import { LedgerEntries } from "./ledger-entries.ts";
import { isFromCatalog, pricedFrame, usageOf } from "./ledger-entry.ts";
import type { LoadedSession } from "./load-session.ts";
import { appendOwn, type Book } from "./own-frames.ts";
import type { SessionDependencies } from "./session-dependencies.ts";

type Needed = Pick<SessionDependencies, "store" | "prices">;

interface SpendingListener {
  /** The ledger could not be written; told of the first of several failures. */
  failed(error: unknown): void;
  /** The session has spent more, or less, than was known. */
  changed(): void;
}

export class Spending {
  readonly #book: Book;
  readonly #ledger: LedgerEntries;
  readonly #changed: () => void;
  #usage: Usage;

  /** `usage`: so far, as the ledger knew it. */
  constructor(deps: Needed, loaded: LoadedSession, usage: Usage, { failed, changed }: SpendingListener) {
    this.#book = loaded;
    this.#changed = changed;
    this.#usage = addUsage(usage, loaded.newUsage);
    this.#ledger = new LedgerEntries(deps.store, deps.prices, loaded.turn, failed);
  }

  /** All that the session has spent. */
  get usage(): Usage {
    return this.#usage;
  }

  /** A prompt's frame: what is spent from here on is spent for it. */
  prompted(seq: number): void {
    this.#ledger.prompted(seq);
  }

  /** Called while its run is being read. */
  frame(frame: UsageEvent, seq: number, session: SessionRecord): LedgerEntry {
    const entry = this.#ledger.add(frame, seq, session, this.#book.journal);
    // After the run it came in: a frame of ours in the middle would take the number of one of the worker's.
    if (wasUnpriced(frame) && isFromCatalog(entry))
      queueMicrotask(() => appendOwn(this.#book, pricedFrame(entry)));
    this.#usage = addUsage(this.#usage, usageOf(entry));
    this.#changed();
    return entry;
  }

  /** Calls of the past cost something else from now on. */
  repriced(change: Parameters<typeof changePrice>[1]): void {
    this.#usage = changePrice(this.#usage, change);
    this.#changed();
  }

  flushed(): Promise<void> {
    return this.#ledger.flushed();
  }
}

const wasUnpriced = ({ unpriced }: UsageEvent): boolean => (unpriced ?? 0) > 0;
