// Carries what was said from the log to the search: never before the log has it, a little later, and in one go
// for all that was said meanwhile, because nobody searches for what was said a second ago. What a crash leaves
// out is caught up when the session is opened.
import type { Frame } from "@patchbay/protocol";
import type { Journal } from "../session/log/journal.ts";
import type { Store } from "../store/store.ts";
import { readAnswers, type SaidReader, type Telling } from "./search-text.ts";

const gatherMs = 1_000;

export class SearchNews {
  readonly #store: Store;
  readonly #session: string;
  readonly #reader: SaidReader;
  readonly #journal: Journal;
  readonly #failed: (error: unknown) => void;
  #waiting: Telling[] = [];
  #forgetBefore: number | undefined;
  #upTo = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(
    store: Store,
    session: string,
    { said, journal }: { said: SaidReader; journal: Journal },
    failed: (error: unknown) => void,
  ) {
    this.#store = store;
    this.#session = session;
    this.#reader = said;
    this.#journal = journal;
    this.#failed = failed;
  }

  frame(frame: Frame, seq: number): void {
    const said = this.#reader.read(frame, seq);
    if (said.length === 0) return;
    this.#journal.afterThisRun(() => {
      this.#waiting.push(...said);
      this.#upTo = seq;
      this.#soon();
    });
  }

  /** The transcript was dropped, and with it what was said before. */
  cleared(frame: Frame, seq: number): void {
    this.#reader.read(frame, seq);
    this.#journal.after(() => {
      this.#waiting = [];
      this.#forgetBefore = seq;
      this.#upTo = seq;
      this.#soon();
    });
  }

  /** `upTo`: nothing that was said up to here is missing. */
  async flushed(upTo: number): Promise<void> {
    this.#upTo = upTo;
    this.#write();
    await this.#writing;
    clearTimeout(this.#timer);
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => this.#write(), gatherMs);
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(async () => {
      const [waiting, forgetBefore, upTo] = [this.#waiting, this.#forgetBefore, this.#upTo];
      this.#waiting = [];
      this.#forgetBefore = undefined;
      try {
        const said = await readAnswers(waiting, (after, maxBytes) => this.#journal.read(after, maxBytes));
        await this.#store.index([{ session: this.#session, said, upTo, forgetBefore }]);
      } catch (error) {
        // Goes with the next: one that came later would hide that these are missing.
        this.#waiting = [...waiting, ...this.#waiting];
        this.#forgetBefore ??= forgetBefore;
        this.#failed(error);
      }
    });
  }
}
