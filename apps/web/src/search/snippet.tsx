// The text around a match, which is highlighted.
import type { TranscriptHit } from "../api/search.ts";

interface Props {
  pieces: TranscriptHit["snippet"];
  /** Markdown syntax is left out: the snippet is one line of plain text. */
  prose: boolean;
  /** In one line only so many characters stand before what was found, which is else cut off. */
  lead?: number;
}

export const Snippet = ({ pieces, prose, lead }: Props) =>
  pieces.map(({ text, match }, index) => {
    const plain = prose ? text.replaceAll(/[*`|#]+|:?-{3,}:?/g, "").replaceAll(/ {2,}/g, " ") : text;
    const shown = index === 0 && !match && lead !== undefined ? endOfText(plain, lead) : plain;
    return match ? (
      // Pieces have no identity but their place
      <mark key={index} className="rounded-[2px] bg-fill/25 text-ink">
        {shown}
      </mark>
    ) : (
      shown
    );
  });

function endOfText(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = text.slice(-most);
  return `…${end.slice(Math.max(0, end.indexOf(" ")))}`;
}
