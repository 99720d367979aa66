// The lines of a file edit. The worker's own diff is preferred, because it has the surroundings; from
// the arguments alone only what changed is known.

/** A replacement of text in a file. */
export interface TextReplacement {
  oldText: string;
  newText: string;
}

export interface DiffLine {
  kind: "added" | "removed" | "same" | "gap";
  text: string;
  /** Its number in the file: of a removed line as it was, of all others as it is now. Known from hunk headings. */
  number?: number;
}

const heading = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** A unified diff, or hunks alone; null when nothing in it is one. */
export function parseDiff(text: string): DiffLine[] | null {
  const read: DiffLine[] = [];
  let at: { before: number; now: number } | null = null;
  const add = (kind: "added" | "removed" | "same", line: string): void => {
    const number = kind === "removed" ? at?.before : at?.now;
    read.push({ kind, text: line.slice(1), ...(number === undefined ? {} : { number }) });
    if (at === null) return;
    at = { before: at.before + (kind === "added" ? 0 : 1), now: at.now + (kind === "removed" ? 0 : 1) };
  };
  for (const line of text.replace(/\n$/, "").split("\n")) {
    const hunk = heading.exec(line);
    if (hunk !== null) at = { before: Number(hunk[1]), now: Number(hunk[2]) };
    // Before the first hunk these are the names of the files; after it they are lines.
    if (at === null && /^(\+\+\+|---) /.test(line)) continue;
    if (line.startsWith("\\")) continue; // "No newline at end of file"
    if (line.startsWith("@@") || line === "...") {
      if (read.length > 0) read.push({ kind: "gap", text: "" });
    } else if (line.startsWith("+")) add("added", line);
    else if (line.startsWith("-")) add("removed", line);
    else if (line.startsWith(" ") || line === "") add("same", line);
    else read.push({ kind: "gap", text: line });
  }
  return read.some((line) => line.kind === "added" || line.kind === "removed") ? read : null;
}

export const countChanges = (lines: readonly DiffLine[]): { added: number; removed: number } => ({
  added: lines.filter((line) => line.kind === "added").length,
  removed: lines.filter((line) => line.kind === "removed").length,
});

/** What edits change, in lines, without comparing them: between what is the same at both ends all is new. */
export function countEdits(edits: readonly TextReplacement[]): { added: number; removed: number } {
  const counts = { added: 0, removed: 0 };
  for (const { oldText, newText } of edits) {
    const before = linesIn(oldText);
    const after = linesIn(newText);
    const shorter = Math.min(before.length, after.length);
    let start = 0;
    while (start < shorter && before[start] === after[start]) start++;
    let end = 0;
    while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
    counts.added += after.length - start - end;
    counts.removed += before.length - start - end;
  }
  return counts;
}

const linesIn = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));
