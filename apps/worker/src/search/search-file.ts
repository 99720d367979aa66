// The matching lines of one file, read in pieces, so that a file of any size costs the same memory.
// Text is searched as a whole and not line by line, which is many times faster where nothing matches.
import { closeSync, constants, openSync, readSync } from "node:fs";
import { allowsOpened, type Fence } from "@patchbay/sandbox";
import type { Pattern } from "./pattern.ts";

/** A line that matches. */
export interface LineMatch {
  readonly number: number;
  /** What was read around it, and where in it the line is. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Where in the line the match begins. */
  readonly at: number;
}

/** Answers whether to go on. */
type Take = (hit: LineMatch) => boolean;

/** Nearly every source fits into one piece; a longer line than this is matched in parts. */
const pieceBytes = 1024 * 1024;
const piece = Buffer.allocUnsafe(pieceBytes);
const LF = 10;

/** Calls back for each matching line, in order, until it answers false. */
export function searchFile(full: string, pattern: Pattern, fence: Fence | null, take: Take): void {
  let descriptor: number;
  try {
    descriptor = openSync(full, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return; // not ours to read, or gone meanwhile
  }
  try {
    if (fence !== null && !allowsOpened(fence, descriptor)) return;
    searchOpened(descriptor, pattern, take);
  } finally {
    closeSync(descriptor);
  }
}

function searchOpened(descriptor: number, pattern: Pattern, take: Take): void {
  let kept = 0;
  let lines = 0;
  for (;;) {
    const read = readSync(descriptor, piece, kept, pieceBytes - kept, null);
    const filled = kept + read;
    if (filled === 0) return;
    const last = filled < pieceBytes;
    const end = last ? filled : wholeLines(filled);
    const bytes = piece.subarray(0, end);
    if (bytes.includes(0)) return; // binary
    if (pattern.needle === null || bytes.includes(pattern.needle)) {
      if (!searchText(bytes.toString("utf8"), lines, pattern, take)) return;
    }
    if (last) return;
    for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) lines++;
    piece.copy(piece, 0, end, filled);
    kept = filled - end;
  }
}

/** Up to the last line end; all of it when there is none. */
function wholeLines(filled: number): number {
  const lf = piece.lastIndexOf(LF, filled - 1);
  return lf === -1 ? filled : lf + 1;
}

function searchText(text: string, before: number, { regex, line }: Pattern, take: Take): boolean {
  let number = before + 1;
  let start = 0;
  let oneByOne = false;
  regex.lastIndex = 0;
  while (start < text.length) {
    const lf = text.indexOf("\n", start);
    let end = lf === -1 ? text.length : lf;
    if (!oneByOne) {
      regex.lastIndex = start;
      const match = regex.exec(text);
      if (match === null) return true;
      while (end < match.index) {
        start = end + 1;
        number++;
        const next = text.indexOf("\n", start);
        end = next === -1 ? text.length : next;
      }
      // A match across lines is none. Where one is possible, lines are looked at one by one from here.
      oneByOne = match.index + match[0].length > end;
    }
    if (start < text.length || text === "") {
      const found = line.exec(text.slice(start, text[end - 1] === "\r" ? end - 1 : end));
      if (found !== null && !take({ number, text, start, end, at: found.index })) return false;
    }
    start = end + 1;
    number++;
  }
  return true;
}
