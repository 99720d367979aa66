// Lines `offset` … of a text file, streamed: what lies before is skipped without being kept, and
// reading stops as soon as the limit is reached.

import { type FileAccess, openFile } from "./files.ts";

const maxLines = 2_000;
const maxBytes = 50 * 1024;
const binaryProbe = 8 * 1024;
const chunkBytes = 64 * 1024;
const LF = 10;

export async function readLines(
  full: string,
  shown: string,
  offset: number,
  limit: number,
  context: FileAccess & { readonly signal: AbortSignal },
): Promise<string> {
  const { signal } = context;
  await using file = await openFile(full, shown, context);
  const page = new Page(offset, Math.min(limit, maxLines));
  const chunk = new Uint8Array(chunkBytes);
  for (let first = true; !page.full; first = false) {
    if (signal.aborted) throw new Error("aborted");
    const { bytesRead } = await file.read(chunk, 0, chunkBytes, null);
    if (bytesRead === 0) break;
    const bytes = chunk.subarray(0, bytesRead);
    if (first && bytes.subarray(0, binaryProbe).includes(0)) {
      throw new Error(`${shown} looks binary; refusing to read as text`);
    }
    page.push(bytes);
  }
  return page.text(shown, limit);
}

class Page {
  readonly #offset: number;
  readonly #maxLines: number;
  #line = 1;
  #kept: Uint8Array[] = [];
  #keptBytes = 0;
  #keptLines = 0;
  /** Whether anything of the current line was seen: a last line needs no line end. */
  #inLine = false;
  /** The byte limit was met in the middle of this line. */
  #cutLine: number | null = null;
  full = false;

  constructor(offset: number, lines: number) {
    this.#offset = offset;
    this.#maxLines = lines;
  }

  push(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length && !this.full) {
      if (this.#keptLines >= this.#maxLines) {
        this.full = true; // a byte beyond the last wanted line: there is more
        return;
      }
      const lf = bytes.indexOf(LF, at);
      const end = lf === -1 ? bytes.length : lf + 1;
      if (this.#line >= this.#offset) this.#keep(bytes.slice(at, end));
      this.#inLine = lf === -1;
      if (lf !== -1) this.#endLine();
      at = end;
    }
  }

  #keep(part: Uint8Array): void {
    const room = maxBytes - this.#keptBytes;
    if (part.length > room) {
      this.#cutLine = this.#line;
      this.full = true;
      // Whole lines read better, but a first line longer than the limit must still show something.
      if (this.#keptLines === 0) {
        this.#kept.push(part.subarray(0, room));
        this.#keptBytes += room;
      }
      return;
    }
    this.#kept.push(part);
    this.#keptBytes += part.length;
  }

  #endLine(): void {
    if (this.#line >= this.#offset && !this.full) this.#keptLines++;
    if (!this.full) this.#line++;
  }

  text(shown: string, limit: number): string {
    const lines = this.#line - (this.#inLine ? 0 : 1);
    if (!this.full && this.#keptBytes === 0) {
      if (lines === 0) return `(${shown} is empty)`;
      if (this.#offset > lines)
        throw new Error(`offset ${this.#offset} is past the end: ${shown} has ${lines} lines`);
    }
    const text = new TextDecoder().decode(Buffer.concat(this.#kept));
    if (!this.full) return text;
    if (this.#cutLine !== null && this.#keptLines === 0) {
      const line = this.#cutLine;
      return `${text}\n... [line ${line} is longer than ${maxBytes} bytes and was cut; the next one is offset=${line + 1}, the rest of this one can be had with bash]`;
    }
    if (this.#cutLine !== null) {
      return `${wholeLines(text)}... [truncated at ${maxBytes} bytes; continue with offset=${this.#offset + this.#keptLines}]`;
    }
    const next = this.#offset + this.#keptLines;
    const why = limit > maxLines ? `truncated at ${maxLines} lines; ` : "more lines follow; ";
    return `${text}... [${why}continue with offset=${next}]`;
  }
}

/** What was kept of the line that did not fit is left out. */
const wholeLines = (text: string): string => text.slice(0, text.lastIndexOf("\n") + 1);
