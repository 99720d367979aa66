// How far a session has come, kept for lists after a restart; it need not be exact, since an opened session knows
// better. When something is over, the log may let go of what it streamed.
import { Changes } from "./coalesced.ts";
import type { Book } from "./log/own-frames.ts";
import type { Keeper } from "./session-writes.ts";

export class Progress {
  readonly #book: Book;
  readonly #keep: Keeper;
  readonly #saving = new Changes(() =>
    this.#keep.own(this.save(), "a session's progress could not be saved"),
  );

  constructor(book: Book, keep: Keeper) {
    this.#book = book;
    this.#keep = keep;
  }

  note(): void {
    this.#saving.tellSoon();
  }

  settle(): void {
    const { journal, transcript } = this.#book;
    journal.afterThisRun(() => {
      const settled = journal.settle((upTo) => transcript.readUpTo(upTo));
      this.#keep.own(settled, "finished turns could not be settled");
      this.note();
    });
  }

  save(): Promise<void> {
    const { journal, transcript } = this.#book;
    return this.#keep.record({ seq: journal.seq, message_count: transcript.told.message_count });
  }
}
