// What grep answers: `path:12: text` for a match, `path-11- text` around it, as ripgrep writes it to a file,
// bounded in matches and in bytes, with long lines cut around what matched.
import type { LineMatch } from "./search-file.ts";

/** As much as any tool of ours gives to a model at once. */
const maxChars = 50 * 1024;
/** A minified file is one line; only the part around a match is shown. */
const maxLineChars = 400;

export class GrepReport {
  readonly #limit: number;
  readonly #context: number;
  #lines: string[] = [];
  #chars = 0;
  /** The last line that was written, so that context is never written twice. */
  #lastPath = "";
  #lastNumber = 0;
  matches = 0;
  files = 0;
  /** There is more than is shown. */
  more = false;

  constructor(limit: number, context: number) {
    this.#limit = limit;
    this.#context = context;
  }

  /** False when there is no room for more. */
  take(path: string, hit: LineMatch): boolean {
    if (this.matches >= this.#limit || this.#chars >= maxChars) {
      this.more = true;
      return false;
    }
    if (path !== this.#lastPath) {
      this.files++;
      this.#lastNumber = 0;
    }
    const before = this.#context === 0 ? [] : linesBefore(hit, this.#context);
    const first = hit.number - before.length;
    if (
      this.#context > 0 &&
      this.#lastPath !== "" &&
      (path !== this.#lastPath || first > this.#lastNumber + 1)
    )
      this.#add("--");
    for (const [index, text] of before.entries()) this.#write(path, first + index, "-", text, -1);
    this.#write(path, hit.number, ":", lineOf(hit.text, hit.start, hit.end), hit.at);
    this.matches++;
    if (this.#context > 0) this.#after = { path, hit };
    return true;
  }

  #after: { path: string; hit: LineMatch } | null = null;

  /** The lines after the last match, once it is known what follows it. */
  flush(next: { path: string; number: number } | null): void {
    if (this.#after === null) return;
    const { path, hit } = this.#after;
    this.#after = null;
    for (const [index, text] of linesAfter(hit, this.#context).entries()) {
      const number = hit.number + 1 + index;
      if (next !== null && next.path === path && number >= next.number) break;
      this.#write(path, number, "-", text, -1);
    }
  }

  #write(path: string, number: number, mark: ":" | "-", text: string, at: number): void {
    if (path === this.#lastPath && number <= this.#lastNumber) return;
    this.#lastPath = path;
    this.#lastNumber = number;
    this.#add(`${path}${mark}${number}${mark} ${cut(text, at)}`);
  }

  #add(line: string): void {
    this.#lines.push(line);
    this.#chars += line.length + 1;
  }

  text(): string {
    return this.#lines.join("\n");
  }
}

const lineOf = (text: string, start: number, end: number): string =>
  text.slice(start, text[end - 1] === "\r" ? end - 1 : end);

function linesBefore({ text, start }: LineMatch, count: number): string[] {
  const lines: string[] = [];
  let end = start - 1;
  while (lines.length < count && end >= 0) {
    const from = text.lastIndexOf("\n", end - 1) + 1;
    lines.unshift(lineOf(text, end === 0 ? 0 : from, end));
    end = (end === 0 ? 0 : from) - 1;
  }
  return lines;
}

function linesAfter({ text, end }: LineMatch, count: number): string[] {
  const lines: string[] = [];
  let start = end + 1;
  while (lines.length < count && start < text.length) {
    const lf = text.indexOf("\n", start);
    const to = lf === -1 ? text.length : lf;
    lines.push(lineOf(text, start, to));
    start = to + 1;
  }
  return lines;
}

function cut(line: string, at: number): string {
  if (line.length <= maxLineChars) return line;
  const start = Math.max(0, Math.min(at - maxLineChars / 4, line.length - maxLineChars));
  const end = Math.min(line.length, start + maxLineChars);
  return `${start > 0 ? "…" : ""}${line.slice(start, end)}${end < line.length ? "…" : ""} [line of ${line.length} characters]`;
}
