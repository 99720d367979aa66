// The lines of a file edit. The worker's own diff is preferred, because it has the surroundings; from
// the arguments alone only what changed is known.
import { diffLines } from "diff";
import type { Edit } from "./tool-args.ts";

export interface DiffLine {
  kind: "added" | "removed" | "same" | "gap";
  text: string;
}

export function parseDiff(text: string): DiffLine[] | null {
  const lines = text.replace(/\n$/, "").split("\n");
  const read = lines.flatMap((line): DiffLine[] => {
    if (/^(\+\+\+|---) /.test(line)) return [];
    if (line.startsWith("@@") || line === "...") return [{ kind: "gap", text: "" }];
    if (line.startsWith("+")) return [{ kind: "added", text: line.slice(1) }];
    if (line.startsWith("-")) return [{ kind: "removed", text: line.slice(1) }];
    if (line.startsWith(" ") || line === "") return [{ kind: "same", text: line.slice(1) }];
    return [{ kind: "gap", text: line }];
  });
  return read.some((line) => line.kind === "added" || line.kind === "removed") ? read : null;
}

export function diffEdits(edits: readonly Edit[]): DiffLine[] {
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

export const countChanges = (lines: readonly DiffLine[]): { added: number; removed: number } => ({
  added: lines.filter((line) => line.kind === "added").length,
  removed: lines.filter((line) => line.kind === "removed").length,
});
