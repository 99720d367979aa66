// Terminal output with its colours. Colours become roles of the theme, so that red is readable on
// white and on black alike; a progress bar's carriage returns leave only its last state.

import Anser from "anser";
import { memo, useMemo } from "react";
import { grouped } from "../../format/number.ts";
import { ansiStyle } from "./ansi-style.ts";

/** Lines shown at once; more would freeze the page, and the end is what people look for. */
const shownLines = 1_000;
const longest = 256 * 1024;

const withoutOverwritten = (text: string): string =>
  text.replaceAll("\r\n", "\n").replace(/^.*\r(?=.)/gm, "");

export default memo(function TerminalText({ text }: { text: string }) {
  const { parts, hidden } = useMemo(() => {
    const lines = withoutOverwritten(text.slice(-longest)).replace(/\n$/, "").split("\n");
    const skipped = Math.max(0, lines.length - shownLines);
    const shown = lines.slice(skipped).join("\n");
    return { hidden: skipped, parts: Anser.ansiToJson(shown, { use_classes: true, remove_empty: true }) };
  }, [text]);
  return (
    <>
      {hidden > 0 && <span className="text-faint">{`${grouped(hidden)} earlier lines\n`}</span>}
      {parts.map((part, index) => {
        const style = ansiStyle(part);
        if (style === undefined) return part.content;
        return (
          // Parts have no identity but their place
          <span key={index} style={style}>
            {part.content}
          </span>
        );
      })}
    </>
  );
});
