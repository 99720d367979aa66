// The lines of an edit of which only the arguments are known. With the library that compares, so only loaded with
// the card that shows them.
import { diffLines } from "diff";
import type { DiffLine, TextReplacement } from "./diff-lines.ts";

export function diffEdits(edits: readonly TextReplacement[]): DiffLine[] {
  return edits.flatMap((edit, index) => {
    const lines = diffLines(withEnd(edit.oldText), withEnd(edit.newText)).flatMap((part) => {
      const kind = part.added ? "added" : part.removed ? "removed" : "same";
      return part.value
        .replace(/\n$/, "")
        .split("\n")
        .map((text): DiffLine => ({ kind, text }));
    });
    return index === 0 ? lines : [{ kind: "gap" as const, text: "" }, ...lines];
  });
}

/** Without a final LF on both sides, the last line would count as changed. */
const withEnd = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);
