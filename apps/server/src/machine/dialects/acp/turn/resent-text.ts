// Recognises an answer that an agent sends again from its beginning, after the stream of its model was cut: it is shown once.
// Such a beginning comes after a pause and repeats all that was sent; until that is certain, it is held back.

export interface AnswerText {
  readonly type: "text" | "thinking";
  readonly text: string;
}

/** Before it tries again, an agent waits for longer. */
const pauseMs = 300;
/** Fewer characters are repeated by chance: "No." */
const leastChars = 16;
/** Answers that are cut are shorter; comparing a longer one is not free. */
const mostChars = 64 * 1024;

/** How far an answer repeats what was shown before. */
interface Again {
  expected: readonly AnswerText[];
  block: number;
  at: number;
  held: AnswerText[];
}

export class ResentText {
  readonly #now: () => number;
  /** What was shown of the step, and how many characters that is. */
  #shown: { type: AnswerText["type"]; pieces: string[] }[] = [];
  #chars = 0;
  #newest = 0;
  #again: Again | undefined;

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Returns what is to be shown now: usually the text as it is. */
  take(given: AnswerText): readonly AnswerText[] {
    const now = this.#now();
    const paused = now - this.#newest >= pauseMs;
    this.#newest = now;
    if (this.#again === undefined && paused && this.#chars >= leastChars && this.#chars <= mostChars) {
      const expected = this.#shown.map(({ type, pieces }) => ({ type, text: pieces.join("") }));
      this.#again = { expected, block: 0, at: 0, held: [] };
    }
    return this.#again === undefined ? this.#keep([given]) : this.#compare(this.#again, given);
  }

  #compare(again: Again, given: AnswerText): readonly AnswerText[] {
    const { expected } = again;
    again.held.push(given);
    let { text } = given;
    for (let block = expected[again.block]; block !== undefined; block = expected[again.block]) {
      const rest = block.text.slice(again.at);
      if (block.type !== given.type || !(rest.startsWith(text) || text.startsWith(rest))) return this.flush();
      if (text.length < rest.length) {
        again.at += text.length;
        return [];
      }
      again.block++;
      again.at = 0;
      text = text.slice(rest.length);
      if (text === "" && again.block < expected.length) return [];
    }
    this.#again = undefined; // all of it was repeated
    return text === "" ? [] : this.#keep([{ type: given.type, text }]);
  }

  /** Returns what is held back: it was no repetition. Called before anything else of the step is shown. */
  flush(): readonly AnswerText[] {
    const held = this.#again?.held ?? [];
    this.#again = undefined;
    return this.#keep(held);
  }

  /** A new step begins, or a tool was called: what follows repeats nothing. */
  reset(): void {
    this.#shown = [];
    this.#chars = 0;
  }

  #keep(shown: readonly AnswerText[]): readonly AnswerText[] {
    for (const { type, text } of shown) {
      this.#chars += text.length;
      if (this.#chars > mostChars) this.#shown = [];
      else if (this.#shown.at(-1)?.type === type) this.#shown.at(-1)?.pieces.push(text);
      else this.#shown.push({ type, pieces: [text] });
    }
    return shown;
  }
}
