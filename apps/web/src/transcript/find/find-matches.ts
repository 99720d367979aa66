// All places of a transcript where a text occurs, in reading order. What was counted of an entry is kept for as long as the
// entry and the query are the same: while an answer streams, only that answer is read again.
import type { TranscriptEntry } from "../entries/entries.ts";
import { type EntryPart, entryParts, type Results } from "./entry-parts.ts";

export interface FindMatch {
  key: string;
  /** Among the entries. */
  row: number;
  call: string | null;
  group: string | null;
  /** Of several in the same card, or in the text of the entry: which one. */
  nth: number;
}

/** More than a reader goes through. */
export const mostMatches = 9_999;

/** Ignores case, and takes any white space for any other. */
export function findTerm(query: string): RegExp | null {
  const text = query.trim();
  if (text === "") return null;
  const escaped = text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replace(/\s+/g, "\\s+");
  return new RegExp(escaped, "giu");
}

type PartsOf = (entry: TranscriptEntry) => readonly EntryPart[] | undefined;

export class EntryFinder {
  readonly #term: RegExp;
  readonly #counted = new WeakMap<object, readonly Omit<FindMatch, "row">[]>();

  constructor(term: RegExp) {
    this.#term = term;
  }

  /** `evicted`: the parts of answers that are not on the page, where they were fetched. */
  find(entries: readonly TranscriptEntry[], results: Results, evicted: PartsOf): FindMatch[] {
    const found: FindMatch[] = [];
    entries.forEach((entry, row) => {
      if (found.length < mostMatches)
        for (const match of this.#inEntry(entry, results, evicted)) found.push({ ...match, row });
    });
    return found.slice(0, mostMatches);
  }

  #inEntry(entry: TranscriptEntry, results: Results, evicted: PartsOf): readonly Omit<FindMatch, "row">[] {
    const parts = entry.kind === "evicted" ? evicted(entry) : undefined;
    // Results come later than the calls of an entry.
    const waits =
      entry.kind === "answer" &&
      entry.content.some((block) => block.type === "tool_call" && !results.has(block.id));
    const known = this.#counted.get(parts ?? entry);
    if (known !== undefined) return known;
    const found = matchesIn(entry.key, parts ?? entryParts(entry, results), this.#term);
    if (!waits && (entry.kind !== "evicted" || parts !== undefined)) this.#counted.set(parts ?? entry, found);
    return found;
  }
}

function matchesIn(key: string, parts: readonly EntryPart[], term: RegExp): Omit<FindMatch, "row">[] {
  let inText = 0;
  return parts.flatMap(({ text, call, group }) => {
    const count = [...text.matchAll(term)].length;
    const first = call === null ? inText : 0;
    if (call === null) inText += count;
    return Array.from({ length: count }, (_, at) => ({ key, call, group, nth: first + at }));
  });
}

export const isSameMatch = (one: FindMatch, other: FindMatch): boolean =>
  one.key === other.key && one.call === other.call && one.nth === other.nth;
