// A unified diff as lines with their numbers before and after.
import { parsePatch } from "diff";

export interface DiffRow {
  kind: "same" | "added" | "removed" | "gap";
  text: string;
  before?: number;
  after?: number;
}

export function readRows(diff: string): DiffRow[] {
  const rows: DiffRow[] = [];
  for (const hunk of parsePatch(diff).flatMap(({ hunks }) => hunks)) {
    let before = hunk.oldStart;
    let after = hunk.newStart;
    if (rows.length > 0 || hunk.newStart > 1) rows.push({ kind: "gap", text: "" });
    for (const line of hunk.lines) {
      const text = line.slice(1);
      if (line.startsWith("+")) rows.push({ kind: "added", text, after: after++ });
      else if (line.startsWith("-")) rows.push({ kind: "removed", text, before: before++ });
      else if (line.startsWith(" ")) rows.push({ kind: "same", text, before: before++, after: after++ });
    }
  }
  return rows;
}
