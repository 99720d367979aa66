// Finds paths of files in a text, with the line that compilers, tests and models write after them: `src/mod.ts:2`,
// `src/mod.ts:2:14`, `src/mod.ts(2,14)`. Pure.
import { languageOf } from "./language.ts";

export interface TextPath {
  start: number;
  length: number;
  path: string;
  line: number | null;
}

const segment = "[\\p{L}\\p{N}_@.+-]+";
const pattern = new RegExp(
  `(?<![\\p{L}\\p{N}_@.+:/\\\\-])((?:\\.{1,2}/|/)?(?:${segment}/)*${segment})(?::(\\d{1,7})(?::\\d{1,6})?|\\((\\d{1,7})(?:,\\d{1,6})?\\))?(?![\\p{L}\\p{N}_/])`,
  "gu",
);

/** A longer text has no path that somebody would click. */
const longest = 200_000;

/** `quoted`: it was written as code, where a name with a known ending is enough. */
export function* pathsIn(text: string, quoted = false): Generator<TextPath> {
  if (text.length > longest || !text.includes(".")) return;
  for (const match of text.matchAll(pattern)) {
    const [all, written = "", colon, paren] = match;
    const number = colon ?? paren;
    // The full stop of a sentence is no part of it.
    const path = number === undefined ? written.replace(/[.+-]+$/, "") : written;
    if (!isLikely(path, number !== undefined, quoted)) continue;
    const length = number === undefined ? path.length : all.length;
    yield { start: match.index, length, path, line: number === undefined ? null : Number(number) };
  }
}

/** Whether all of a text is one path. */
export function isPath(text: string): boolean {
  const [first] = pathsIn(text, true);
  return first !== undefined && first.start === 0 && first.length === text.length;
}

function isLikely(path: string, hasLine: boolean, quoted: boolean): boolean {
  const segments = path.split("/").filter((part) => part !== "" && part !== "." && part !== "..");
  const name = segments.at(-1) ?? "";
  const ending = /\.([A-Za-z][A-Za-z0-9]{0,9})$/.exec(name)?.[1];
  if (ending === undefined || /^\d+(?:\.\d+)*$/.test(name)) return false;
  const isKnown =
    languageOf(name) !== "" || /^(?:txt|log|lock|csv|env|cfg|conf|tf|proto|ipynb)$/i.test(ending);
  // `example.com/page.html` is an address, `localhost.test:80` is a host.
  const isHost =
    segments.length > 1 && /^[^.].*\.[a-z]{2,}$/i.test(segments[0] ?? "") && !path.startsWith(".");
  if (isHost && !path.startsWith("/")) return false;
  if (segments.length > 1) return isKnown || hasLine || quoted;
  return isKnown && (hasLine || quoted);
}
