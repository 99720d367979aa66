// Writes text from the log to the search index: never before the log has it, up to a second later, and together with all text
// that arrived meanwhile. Text lost in a crash is caught up when the session is opened.
import { setTimeout as delay } from "node:timers/promises";
import type { Frame } from "@patchbay/protocol";
import type { SearchText } from "../store/search.ts";
import type { Store } from "../store/store.ts";
import type { ProjectedLog } from "./projected-log.ts";
import { type PendingText, readAnswers, type SearchTextReader } from "./search-text.ts";

const gatherMs = 1_000;
/** Texts that are written at once, in about half a millisecond, and the pause after them: a prompt that arrives meanwhile waits for one
 * such write, and not for all that the second before it brought. */
const togetherTexts = 16;
const pauseMs = 5;

export class SearchIndexer {
  readonly #store: Store;
  readonly #session: string;
  readonly #reader: SearchTextReader;
  readonly #log: ProjectedLog;
  readonly #failed: (error: unknown) => void;
  #waiting: PendingText[] = [];
  #forgetBefore: number | undefined;
  #upTo = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosing = false;
  #writing: Promise<void> = Promise.resolve();

  constructor(
    store: Store,
    session: string,
    reader: SearchTextReader,
    log: ProjectedLog,
    failed: (error: unknown) => void,
  ) {
    this.#store = store;
    this.#session = session;
    this.#reader = reader;
    this.#log = log;
    this.#failed = failed;
  }

  frame(frame: Frame, seq: number): void {
    const text = this.#reader.read(frame, seq);
    const isCleared = frame.type === "cleared"; // the transcript was dropped, so earlier text is no longer found
    if (text.length === 0 && !isCleared) return;
    this.#log.afterShown(() => {
      if (isCleared) {
        this.#waiting = [];
        this.#forgetBefore = seq;
      } else this.#waiting.push(...text);
      this.#upTo = seq;
      this.#soon();
    });
  }

  /** `upTo`: the index has all text up to this frame. */
  async flushed(upTo: number): Promise<void> {
    this.#isClosing = true;
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
        const texts = await readAnswers(waiting, (after, maxBytes) => this.#log.read(after, maxBytes));
        let first = forgetBefore;
        for (const part of inParts(texts, upTo)) {
          await this.#store.index([{ session: this.#session, ...part, forgetBefore: first }]);
          first = undefined;
          if (part.upTo < upTo && !this.#isClosing) await delay(pauseMs);
        }
      } catch (error) {
        // Kept for the next write: writing later text first would hide that this is missing.
        this.#waiting = [...waiting, ...this.#waiting];
        this.#forgetBefore ??= forgetBefore;
        this.#failed(error);
      }
    });
  }
}

/** The texts of a frame stay together. `upTo`: with a part, the index has all text up to this frame. */
function* inParts(
  texts: readonly SearchText[],
  upTo: number,
): Generator<{ texts: readonly SearchText[]; upTo: number }> {
  for (let at = 0; ; ) {
    let end = at + togetherTexts;
    while (end < texts.length && texts[end]?.seq === texts[end - 1]?.seq) end++;
    const next = texts[end];
    yield { texts: texts.slice(at, end), upTo: next === undefined ? upTo : next.seq - 1 };
    if (next === undefined) return;
    at = end;
  }
}
