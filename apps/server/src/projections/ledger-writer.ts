// Carries usage frames from the log to the ledger: never before the log has them, and in one go for all
// that arrived meanwhile. What a crash leaves out is caught up when the session is opened.
import type { UsageEvent } from "@patchbay/protocol";
import type { Budgets } from "../costs/budgets/budgets.ts";
import type { Prices } from "../costs/prices/prices.ts";
import type { Machine } from "../machine/machine.ts";
import type { LedgerEntry } from "../store/ledger-types.ts";
import type { SessionRecord } from "../store/session-record.ts";
import type { Store } from "../store/store.ts";
import { ledgerEntry } from "./ledger-entry.ts";
import type { ProjectedLog } from "./projected-log.ts";

/** As for the log: a full disk is not emptied sooner by asking more often. */
const retryMs = 500;

interface Dependencies {
  store: Store;
  prices: Prices;
  budgets: Budgets;
  machine: Pick<Machine, "directories">;
}

export class LedgerWriter {
  readonly #deps: Dependencies;
  readonly #log: ProjectedLog;
  readonly #failed: (error: unknown) => void;
  /** Oldest first, and kept when they cannot be written: the newest entry tells where catching up begins. */
  #waiting: LedgerEntry[] = [];
  #scheduled = false;
  #writing: Promise<void> = Promise.resolve();
  #retry: NodeJS.Timeout | undefined;
  /** What is spent now is spent for this prompt. */
  #turn: number;
  /** Where the prompt found the directory; read with the first call it leads to. */
  #branch: string | undefined;

  /** `turn`: the newest prompt so far. `failed` is called for the first of several failures. */
  constructor(deps: Dependencies, log: ProjectedLog, turn: number, failed: (error: unknown) => void) {
    this.#deps = deps;
    this.#log = log;
    this.#turn = turn;
    this.#failed = failed;
  }

  prompted(seq: number): void {
    this.#turn = seq;
    this.#branch = undefined;
  }

  add(frame: UsageEvent, seq: number, session: SessionRecord): LedgerEntry {
    this.#branch ??= this.#deps.machine.directories.branch(session.cwd) ?? "";
    const now = { time: new Date().toISOString(), turn: this.#turn, branch: this.#branch };
    const entry = ledgerEntry(frame, seq, session, now, this.#deps.prices);
    this.#log.afterShown(() => {
      this.#waiting.push(entry);
      if (this.#retry === undefined) this.#schedule();
    });
    return entry;
  }

  /** Everything that viewers have seen spent is in the ledger, or cannot be written now. */
  async written(): Promise<void> {
    if (this.#waiting.length > 0 && this.#retry === undefined) this.#schedule();
    await this.#writing;
  }

  /** Tries once more to write what waits; what cannot be written is caught up when the session is opened. */
  async flushed(): Promise<void> {
    this.#schedule();
    await this.#writing;
    clearTimeout(this.#retry);
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#writing = this.#writing.then(() => this.#write());
  }

  async #write(): Promise<void> {
    const entries = this.#waiting;
    this.#waiting = [];
    this.#scheduled = false;
    try {
      await this.#deps.store.record(entries);
      const newest = entries.at(-1);
      if (newest !== undefined) this.#deps.budgets.written(newest.session, newest.seq);
    } catch (error) {
      if (this.#retry === undefined) this.#failed(error);
      this.#waiting = [...entries, ...this.#waiting];
      clearTimeout(this.#retry);
      this.#retry = setTimeout(() => this.#schedule(), retryMs);
      return;
    }
    clearTimeout(this.#retry);
    this.#retry = undefined;
  }
}
