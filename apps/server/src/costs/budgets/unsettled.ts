// Calls that were counted and are not in the ledger yet. A new budget starts from the ledger's sums plus these: none
// is missed, none counted twice, whatever is written while the sums are read.
import type { LedgerEntry, LedgerMoment } from "../../store/ledger-types.ts";

export class Unsettled {
  readonly #entries = new Map<string, LedgerEntry[]>();
  /** Up to which frame each session's entries are written. */
  readonly #written = new Map<string, number>();
  /** Sums are being read: what is written meanwhile must stay known. */
  #readers = 0;

  add(entry: LedgerEntry): void {
    const known = this.#entries.get(entry.session);
    if (known === undefined) this.#entries.set(entry.session, [entry]);
    else known.push(entry);
  }

  written(session: string, seq: number): void {
    this.#written.set(session, seq);
    if (this.#readers === 0) this.#forget(session);
  }

  /** Reads sums of the ledger; gives them with what they do not hold. */
  async beside(read: () => Promise<LedgerMoment>): Promise<{ moment: LedgerMoment; rest: LedgerEntry[] }> {
    this.#readers++;
    try {
      const moment = await read();
      const rest = [...this.#entries.values()]
        .flat()
        .filter(({ session, seq }) => seq > (moment.upTo.get(session) ?? 0));
      return { moment, rest };
    } finally {
      this.#readers--;
      if (this.#readers === 0) for (const session of [...this.#written.keys()]) this.#forget(session);
    }
  }

  #forget(session: string): void {
    const upTo = this.#written.get(session) ?? 0;
    const left = (this.#entries.get(session) ?? []).filter(({ seq }) => seq > upTo);
    if (left.length > 0) this.#entries.set(session, left);
    else this.#entries.delete(session);
    this.#written.delete(session);
  }
}
