// What the store makes of a session's frames beside its log: the ledger of what was spent, and the search over
// what was said. Both follow the log and are caught up with it when the session is opened.
import type { ClearedFrame, Frame } from "@patchbay/protocol";
import type { SessionRecord, Store } from "../store/store.ts";
import type { Journal } from "./journal.ts";
import type { Keeper } from "./keeper.ts";
import { LedgerEntries } from "./ledger-entries.ts";
import type { LoadedSession } from "./load-session.ts";
import { SearchNews } from "./search-news.ts";

export class Projections {
  readonly #journal: Journal;
  readonly #ledger: LedgerEntries;
  readonly #search: SearchNews;

  constructor(store: Store, session: string, { journal, turn, said }: LoadedSession, keep: Keeper) {
    this.#journal = journal;
    this.#ledger = new LedgerEntries(store, turn, (error) =>
      keep.report(error, "the ledger could not be written"),
    );
    this.#search = new SearchNews(store, session, said, (error) =>
      keep.report(error, "the search could not be told"),
    );
  }

  frame(frame: Frame, seq: number, record: SessionRecord): void {
    if (frame.type === "user_message") this.#ledger.prompted(seq);
    if (frame.type === "usage") this.#ledger.add(frame, seq, record, this.#journal);
    else this.#search.frame(frame, seq, this.#journal);
  }

  /** The newest frame says that the transcript was dropped. */
  cleared(frame: ClearedFrame): void {
    this.#search.cleared(frame, this.#journal.seq, this.#journal);
  }

  async flushed(): Promise<void> {
    await this.#ledger.flushed();
    await this.#search.flushed(this.#journal.seq);
  }
}
