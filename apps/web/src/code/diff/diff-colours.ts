// The lines of a difference in the colours of their language.
import { useMemo } from "react";
import { useHighlighted } from "../highlight/highlight.ts";
import { htmlLines } from "./html-lines.ts";

interface Line {
  kind: "same" | "added" | "removed" | "gap";
  text: string;
}

/**
 * HTML in which highlight.js escaped everything but its own spans. Both versions are coloured as wholes, so that a
 * comment over several lines is one; then taken apart again.
 */
export function useDiffColours<L extends Line>(
  lines: readonly L[],
  language: string,
): ReadonlyMap<L, string> {
  const before = useMemo(() => lines.filter(({ kind }) => kind === "removed" || kind === "same"), [lines]);
  const after = useMemo(() => lines.filter(({ kind }) => kind === "added" || kind === "same"), [lines]);
  const text = (side: readonly L[]): string => side.map((line) => line.text).join("\n");
  const old = useHighlighted(text(before), language, true);
  const now = useHighlighted(text(after), language, true);
  return useMemo(() => {
    const colours = new Map<L, string>();
    for (const [side, html] of [
      [before, old],
      [after, now],
    ] as const) {
      if (html === null) continue;
      htmlLines(html).forEach((line, at) => {
        const shown = side[at];
        if (shown !== undefined) colours.set(shown, line);
      });
    }
    return colours;
  }, [before, after, old, now]);
}
