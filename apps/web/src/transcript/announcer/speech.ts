// What a screen reader hears of an answer while it streams: whole sentences, in plain words, and not more of them than
// can be listened to. Whoever wants every word reads the transcript.

/** The least time between two announcements. */
export const pause = 4_000;
/** About fifteen seconds of speech. */
const longest = 280;

export class Speech {
  #spoken = 0;
  #lastAt = Number.NEGATIVE_INFINITY;

  /** What to say now of a text that grows; null when it is too early or nothing new is a whole sentence. */
  next(text: string, over: boolean, now: number): string | null {
    if (text.length < this.#spoken) this.#spoken = 0; // another answer
    if (!over && now - this.#lastAt < pause) return null;
    const fresh = text.slice(this.#spoken);
    const end = over ? fresh.length : sentenceEnd(fresh);
    const words = inPlainWords(fresh.slice(0, end));
    if (words === "") return null;
    this.#spoken += end;
    this.#lastAt = now;
    return shortened(words);
  }

  /** The rest of an answer that is over, and all of those that came with it; null when nothing is left to say. */
  rest(texts: readonly string[], now: number): string | null {
    const words = texts.flatMap((text) => {
      const left = this.next(text, true, now);
      this.reset();
      return left ?? [];
    });
    return words.length === 0 ? null : shortened(words.join(" "));
  }

  /** A new answer begins. */
  reset(): void {
    this.#spoken = 0;
  }
}

const shortened = (words: string): string =>
  words.length <= longest ? words : `… ${words.slice(-longest).replace(/^\S*\s/, "")}`;

/** After the last sentence, line or item that is complete; inside a block of code nothing is. */
function sentenceEnd(text: string): number {
  const fences = text.split("```").length - 1;
  const readable = fences % 2 === 1 ? text.slice(0, text.lastIndexOf("```")) : text;
  return Math.max(...[...readable.matchAll(/[.!?:]\s|\n/g)].map((found) => found.index + found[0].length), 0);
}

const inPlainWords = (markdown: string): string =>
  markdown
    .replace(/```[^\n]*\n[^]*?(?:```|$)/g, " A block of code. ")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/^\s*\|?[\s:|-]+\|[\s:|-]*$/gm, " ")
    .replace(/[|*_`#>~]+/g, " ")
    .replace(/\s+/g, " ")
    .trim();
