// Carries usage frames from the log to the ledger: never before the log has them, and in one go for all
// that arrived meanwhile. What a crash leaves out is caught up when the session is opened.
import type { UsageEvent } from "@patchbay/protocol";
import type { LedgerEntry, SessionRecord, Store } from "../store/store.ts";
import type { Journal } from "./journal.ts";
import { ledgerEntry } from "./ledger-entry.ts";

export class LedgerEntries {
  readonly #store: Store;
  readonly #failed: (error: unknown) => void;
  #waiting: LedgerEntry[] = [];
  #writing: Promise<void> = Promise.resolve();

  constructor(store: Store, failed: (error: unknown) => void) {
    this.#store = store;
    this.#failed = failed;
  }

  add(frame: UsageEvent, seq: number, session: SessionRecord, journal: Journal): void {
    const entry = ledgerEntry(frame, seq, session, new Date().toISOString());
    journal.afterThisRun(() => this.#record(entry));
  }

  async flushed(): Promise<void> {
    await this.#writing;
  }

  #record(entry: LedgerEntry): void {
    this.#waiting.push(entry);
    if (this.#waiting.length > 1) return;
    this.#writing = this.#writing.then(() => this.#write());
  }

  async #write(): Promise<void> {
    const entries = this.#waiting;
    this.#waiting = [];
    await this.#store.record(entries).catch(this.#failed);
  }
}
