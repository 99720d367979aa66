// The text of a prompt. A very long one (a pasted log) is folded, so that the answer is not screens away,
// unless something is looked for in it.
import { useContext, useState } from "react";
import { MatchContext } from "../message-link/match-context.ts";
import { transcriptTexts } from "../texts.ts";

/** What fits on about half a screen is shown whole. */
const longestText = 1_600;
const mostLines = 20;

export function PromptText({ text }: { text: string }) {
  const sought = useContext(MatchContext) !== null;
  const [chosen, setWhole] = useState<boolean | null>(null);
  const whole = chosen ?? sought;
  const lines = text.split("\n").length;
  const isLong = text.length > longestText || lines > mostLines;
  return (
    <>
      <div
        dir="auto"
        className={`as-written mt-0.5 max-w-[76ch] text-prose me-auto font-[450] [overflow-wrap:anywhere] whitespace-pre-wrap ${isLong && !whole ? "line-clamp-[12]" : ""}`}
      >
        {text}
      </div>
      {isLong && (
        <button
          type="button"
          aria-expanded={whole}
          onClick={() => setWhole(!whole)}
          className="mt-1 -ml-1 h-7 rounded-md px-1 text-sm font-medium text-accent hover:bg-hover phone:h-11"
        >
          {whole ? transcriptTexts.showLess : showAll(text, lines)}
        </button>
      )}
    </>
  );
}

const showAll = (text: string, lines: number): string =>
  lines > mostLines ? transcriptTexts.showAllLines(lines) : transcriptTexts.showAllCharacters(text.length);
