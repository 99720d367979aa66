// Entries that were counted and are not in the ledger yet. A new budget starts from the ledger's sums plus these. No entry is
// missed or counted twice, even if the ledger is written while the sums are read.
import type { LedgerEntry, LedgerSnapshot } from "../../store/ledger-types.ts";

export class UnwrittenEntries {
  readonly #entries = new Map<string, LedgerEntry[]>();
  /** The last written frame of each session. */
  readonly #written = new Map<string, number>();
  /** Reads in progress. Entries that are written meanwhile must be kept until the reads end. */
  #readers = 0;

  add(entry: LedgerEntry): void {
    const known = this.#entries.get(entry.session);
    if (known === undefined) this.#entries.set(entry.session, [entry]);
    else known.push(entry);
  }

  written(session: string, seq: number): void {
    this.#written.set(session, seq);
    if (this.#readers === 0) this.#dropWritten(session);
  }

  /** Reads sums of the ledger and returns them with the entries that they do not contain. */
  async readSums(
    read: () => Promise<LedgerSnapshot>,
  ): Promise<{ snapshot: LedgerSnapshot; missing: LedgerEntry[] }> {
    this.#readers++;
    try {
      const snapshot = await read();
      const missing = [...this.#entries.values()]
        .flat()
        .filter(({ session, seq }) => seq > (snapshot.upTo.get(session) ?? 0));
      return { snapshot, missing };
    } finally {
      this.#readers--;
      if (this.#readers === 0) for (const session of [...this.#written.keys()]) this.#dropWritten(session);
    }
  }

  #dropWritten(session: string): void {
    const upTo = this.#written.get(session) ?? 0;
    const left = (this.#entries.get(session) ?? []).filter(({ seq }) => seq > upTo);
    if (left.length > 0) this.#entries.set(session, left);
    else this.#entries.delete(session);
    this.#written.delete(session);
  }
}
