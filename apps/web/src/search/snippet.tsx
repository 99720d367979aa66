// The words around what was found, which is marked.
import type { Hit } from "../api/search.ts";

export const kindWords: Readonly<Record<Hit["kind"], string>> = {
  prompt: "You",
  answer: "Answer",
  tool: "Tool call",
  output: "Output",
  command: "Your command",
  summary: "Summary",
};

/** `prose`: what Markdown is written with says nothing in a line of plain words. */
export const Snippet = ({ pieces, prose }: { pieces: Hit["snippet"]; prose: boolean }) =>
  pieces.map(({ text, match }, index) => {
    const shown = prose ? text.replaceAll(/[*`|#]+|:?-{3,}:?/g, "").replaceAll(/ {2,}/g, " ") : text;
    return match ? (
      // Pieces have no identity but their place
      <mark key={index} className="rounded-[2px] bg-fill/25 text-ink">
        {shown}
      </mark>
    ) : (
      shown
    );
  });
