// Exact replacements in a text. CRLF counts as LF when matching, because models write LF; what is not
// replaced keeps its bytes, also in a file that mixes both.

export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

export function applyEdits(original: string, edits: readonly TextEdit[], shown: string): string {
  const text = withoutCr(original);
  const spans = edits.map((edit, index) =>
    findSpan(text.plain, edit, edits.length > 1 ? `edit ${index + 1}: ` : "", shown),
  );
  spans.sort((a, b) => a.start - b.start);
  for (const [index, span] of spans.entries()) {
    const next = spans[index + 1];
    if (next !== undefined && next.start < span.end) {
      throw new Error(`two edits of ${shown} overlap; make them one`);
    }
  }
  const lineEnd = original.includes("\r\n") && !/(^|[^\r])\n/.test(original) ? "\r\n" : "\n";
  let result = "";
  let at = 0;
  for (const span of spans) {
    result += original.slice(at, text.toOriginal(span.start)) + span.newText.replaceAll("\n", lineEnd);
    at = text.toOriginal(span.end);
  }
  return result + original.slice(at);
}

function findSpan(plain: string, edit: TextEdit, which: string, shown: string): Span {
  const oldText = edit.oldText.replaceAll("\r\n", "\n");
  const newText = edit.newText.replaceAll("\r\n", "\n");
  if (oldText === "") throw new Error(`${which}oldText is empty`);
  if (oldText === newText) throw new Error(`${which}oldText equals newText`);
  const start = plain.indexOf(oldText);
  if (start === -1) throw new Error(`${which}oldText was not found in ${shown}; read the file again`);
  const count = occurrences(plain, oldText);
  if (count > 1) throw new Error(`${which}oldText matches ${count} times in ${shown}; add surrounding lines`);
  return { start, end: start + oldText.length, newText };
}

/** Overlapping ones too: `aa` could stand at two places in `aaa`. */
function occurrences(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) count++;
  return count;
}

/** The text without the CRs of its CRLFs, and the way back from a position in it. */
function withoutCr(original: string): { plain: string; toOriginal(position: number): number } {
  if (!original.includes("\r\n")) return { plain: original, toOriginal: (position) => position };
  const ends: number[] = []; // positions in the plain text of line ends that had a CR
  const parts = original.split("\r\n");
  let at = 0;
  for (const part of parts.slice(0, -1)) {
    at += part.length;
    ends.push(at);
    at += 1;
  }
  const before = (position: number): number => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < position) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return { plain: parts.join("\n"), toOriginal: (position) => position + before(position) };
}
