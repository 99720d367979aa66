// Terminal output with its colours. Colours become roles of the theme, so that red is readable on
// white and on black alike; a progress bar's carriage returns leave only its last state.
import Anser from "anser";
import { memo, useMemo } from "react";

/** Lines shown at once; more would freeze the page, and the end is what people look for. */
const shownLines = 1_000;
const longest = 256 * 1024;

const names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

function colour(name: string | null): string | undefined {
  const plain = name?.replace(/^ansi-/, "").replace(/^bright-/, "");
  return plain !== undefined && names.includes(plain) ? `var(--ansi-${plain})` : undefined;
}

const withoutOverwritten = (text: string): string =>
  text.replaceAll("\r\n", "\n").replace(/^.*\r(?=.)/gm, "");

export const Ansi = memo(function Ansi({ text }: { text: string }) {
  const { parts, hidden } = useMemo(() => {
    const lines = withoutOverwritten(text.slice(-longest)).replace(/\n$/, "").split("\n");
    const skipped = Math.max(0, lines.length - shownLines);
    const shown = lines.slice(skipped).join("\n");
    return { hidden: skipped, parts: Anser.ansiToJson(shown, { use_classes: true, remove_empty: true }) };
  }, [text]);
  return (
    <>
      {hidden > 0 && (
        <span className="text-faint">{`${hidden.toLocaleString("en-US")} earlier lines\n`}</span>
      )}
      {parts.map((part, index) => {
        const color = colour(part.fg);
        const bold = part.decorations.includes("bold");
        const dim = part.decorations.includes("dim");
        if (color === undefined && !bold && !dim) return part.content;
        return (
          <span
            // Parts have no identity but their place
            key={index}
            className={`${bold ? "font-semibold" : ""} ${dim ? "text-faint" : ""}`}
            style={color === undefined ? undefined : { color }}
          >
            {part.content}
          </span>
        );
      })}
    </>
  );
});
