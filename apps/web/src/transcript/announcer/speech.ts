// What a screen reader reads of an answer while it streams: whole sentences without markup, and not more than a person
// can listen to. The whole text is in the transcript.
import { transcriptTexts } from "../texts.ts";

/** The least time between two announcements. */
export const pause = 4_000;
/** About fifteen seconds of speech. */
const longest = 280;

export class Speech {
  #spoken = 0;
  #lastAt = Number.NEGATIVE_INFINITY;

  /** What to announce now of a text that grows; null when it is too early or nothing new is a whole sentence. */
  next(text: string, over: boolean, now: number): string | null {
    if (text.length < this.#spoken) this.#spoken = 0; // another answer
    if (!over && now - this.#lastAt < pause) return null;
    const fresh = text.slice(this.#spoken);
    const end = over ? fresh.length : sentenceEnd(fresh);
    const plain = plainText(fresh.slice(0, end));
    if (plain === "") return null;
    this.#spoken += end;
    this.#lastAt = now;
    return shortened(plain);
  }

  /** The rest of an answer that is over, and all of those that came with it; null when nothing is left. */
  rest(texts: readonly string[], now: number): string | null {
    const parts = texts.flatMap((text) => {
      const left = this.next(text, true, now);
      this.reset();
      return left ?? [];
    });
    return parts.length === 0 ? null : shortened(parts.join(" "));
  }

  /** A new answer begins. */
  reset(): void {
    this.#spoken = 0;
  }
}

const shortened = (text: string): string =>
  text.length <= longest ? text : `… ${text.slice(-longest).replace(/^\S*\s/, "")}`;

/** After the last sentence, line or item that is complete; inside a block of code nothing is. */
function sentenceEnd(text: string): number {
  const fences = text.split("```").length - 1;
  const readable = fences % 2 === 1 ? text.slice(0, text.lastIndexOf("```")) : text;
  return Math.max(...[...readable.matchAll(/[.!?:]\s|\n/g)].map((found) => found.index + found[0].length), 0);
}

const plainText = (markdown: string): string =>
  markdown
    .replace(/```[^\n]*\n[^]*?(?:```|$)/g, ` ${transcriptTexts.blockOfCode} `)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/^\s*\|?[\s:|-]+\|[\s:|-]*$/gm, " ")
    .replace(/[|*_`#>~]+/g, " ")
    .replace(/\s+/g, " ")
    .trim();
