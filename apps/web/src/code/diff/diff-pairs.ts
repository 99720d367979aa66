// The lines of a diff side by side: what was removed stands beside what took its place.
import type { DiffLine } from "./diff-lines.ts";

export interface Pair {
  before: DiffLine | null;
  after: DiffLine | null;
}

export function pairLines(lines: readonly DiffLine[]): Pair[] {
  const pairs: Pair[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    if (line === undefined) break;
    if (line.kind === "same" || line.kind === "gap") {
      pairs.push({ before: line, after: line });
      at++;
      continue;
    }
    const removed = runOf(lines, at, "removed");
    const added = runOf(lines, at + removed.length, "added");
    for (let row = 0; row < Math.max(removed.length, added.length); row++)
      pairs.push({ before: removed[row] ?? null, after: added[row] ?? null });
    at += removed.length + added.length;
  }
  return pairs;
}

function runOf(lines: readonly DiffLine[], from: number, kind: DiffLine["kind"]): readonly DiffLine[] {
  let end = from;
  while (lines[end]?.kind === kind) end++;
  return lines.slice(from, end);
}
