// The difference an edit makes, twice: hunks for the model, which paid for the file's name already, and
// a whole unified diff for the page.
import type { ResultDetails } from "@patchbay/protocol";
import { formatPatch, structuredPatch } from "diff";

/** Finding the smallest diff of two very different texts takes quadratic time. */
const maxEditLength = 5_000;
/** A page shows some thousand lines at most; the file itself has the rest. */
const maxDiffChars = 256 * 1024;

export interface FileDiff {
  /** Null when it is too large to be worth its tokens or its time. */
  readonly hunks: string | null;
  readonly details: ResultDetails & { readonly diff?: string };
}

/** `before` is null for a file that did not exist. */
export function diffFile(path: string, before: string | null, after: string): FileDiff {
  const from = before === null ? "/dev/null" : `a/${path}`;
  const patch = structuredPatch(from, `b/${path}`, toLf(before ?? ""), toLf(after), "", "", {
    context: 3,
    maxEditLength,
  });
  if (patch === undefined) return { hunks: null, details: { path } };
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  const added = lines.filter((line) => line.startsWith("+")).length;
  const removed = lines.filter((line) => line.startsWith("-")).length;
  const diff = formatPatch(patch).replace(/^=+\n/, "");
  const hunks = patch.hunks.map(
    ({ oldStart, oldLines, newStart, newLines, lines: shown }) =>
      `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@\n${shown.filter(isLine).join("\n")}`,
  );
  return {
    hunks: hunks.join("\n"),
    details: { path, added, removed, ...(diff.length > maxDiffChars ? {} : { diff }) },
  };
}

/** The note about a missing final line end is of no use to a model. */
const isLine = (line: string): boolean => !line.startsWith("\\");

/** Line ends are not what changed, and a byte order mark is no character of the first line. */
const toLf = (text: string): string => text.replaceAll("\r\n", "\n").replace(/^\uFEFF/, "");
