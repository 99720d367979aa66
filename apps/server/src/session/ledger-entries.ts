// Carries usage frames from the log to the ledger, never before the log has them. What a crash leaves out
// is caught up when the session is opened.
import type { UsageEvent } from "@patchbay/protocol";
import type { SessionRecord, Store } from "../store/store.ts";
import type { Journal } from "./journal.ts";
import { ledgerEntry } from "./ledger-entry.ts";

export class LedgerEntries {
  readonly #store: Store;
  readonly #failed: (error: unknown) => void;
  #written: Promise<void> = Promise.resolve();

  constructor(store: Store, failed: (error: unknown) => void) {
    this.#store = store;
    this.#failed = failed;
  }

  add(frame: UsageEvent, seq: number, session: SessionRecord, journal: Journal): void {
    const entry = ledgerEntry(frame, seq, session, new Date().toISOString());
    journal.afterThisRun(() => {
      this.#written = this.#store.record([entry]).catch(this.#failed);
    });
  }

  async flushed(): Promise<void> {
    await this.#written;
  }
}
