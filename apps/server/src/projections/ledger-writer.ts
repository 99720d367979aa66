// Writes usage frames from the log to the ledger: never before the log has them, and together with all that
// arrived meanwhile. Entries lost in a crash are caught up when the session is opened.
import type { UsageEvent } from "@patchbay/protocol";
import type { Budgets } from "../costs/budgets/budgets.ts";
import type { Prices } from "../costs/prices/prices.ts";
import type { Machine } from "../machine/machine.ts";
import type { LedgerEntry } from "../store/ledger-types.ts";
import type { SessionRecord } from "../store/session-record.ts";
import type { Store } from "../store/store.ts";
import { type Circumstances, ledgerEntry } from "./ledger-entry.ts";
import type { ProjectedLog } from "./projected-log.ts";

/** As for the log: retrying more often does not help against a full disk. */
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
  /** Oldest first. Entries that cannot be written stay: a later one must not be written first, because catching up begins at the newest. */
  #waiting: LedgerEntry[] = [];
  #scheduled = false;
  #writing: Promise<void> = Promise.resolve();
  #retry: NodeJS.Timeout | undefined;
  /** Spending is charged to this prompt. */
  #turn: number;
  /** The person who sent it. */
  #causedBy: string | undefined;
  /** The branch of the directory during this prompt; read with its first call. */
  #branch: string | undefined;

  /** `turn`: the newest prompt so far, which `causedBy` sent. `failed` is called for the first of consecutive failures. */
  constructor(
    deps: Dependencies,
    log: ProjectedLog,
    { turn, causedBy }: Pick<Circumstances, "turn" | "causedBy">,
    failed: (error: unknown) => void,
  ) {
    this.#deps = deps;
    this.#log = log;
    this.#turn = turn;
    this.#causedBy = causedBy;
    this.#failed = failed;
  }

  prompted(seq: number, causedBy: string | undefined): void {
    this.#turn = seq;
    this.#causedBy = causedBy;
    this.#branch = undefined;
  }

  add(frame: UsageEvent, seq: number, session: SessionRecord): LedgerEntry {
    this.#branch ??= this.#deps.machine.directories.branch(session.cwd) ?? "";
    const now = {
      time: new Date().toISOString(),
      turn: this.#turn,
      branch: this.#branch,
      causedBy: this.#causedBy,
    };
    const entry = ledgerEntry(frame, seq, session, now, this.#deps.prices);
    this.#log.afterShown(() => {
      this.#waiting.push(entry);
      if (this.#retry === undefined) this.#schedule();
    });
    return entry;
  }

  /** Resolves when all spending that viewers have seen is in the ledger, or cannot be written now. */
  async written(): Promise<void> {
    if (this.#waiting.length > 0 && this.#retry === undefined) this.#schedule();
    await this.#writing;
  }

  /** Tries once more to write pending entries; those that fail are caught up when the session is opened. */
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
