// Terminal output with its colours. Colours become roles of the theme, so that red is readable on
// white and on black alike; a progress bar's carriage returns leave only its last state.

import Anser from "anser";
import { memo, useContext, useMemo, useState } from "react";
import { grouped } from "../../format/number.ts";
import { FileLinks } from "../file-links.tsx";
import { codeTexts } from "../texts.ts";
import { ansiStyle } from "./ansi-style.ts";
import { WholeOutputContext } from "./whole-output.ts";

/** Lines shown at first; more would freeze the page, and the end is what people look for. */
const shownLines = 1_000;
const longest = 256 * 1024;
/** A piece of the earlier lines, which is not laid out while it is off the screen. */
const pieceLines = 500;

const withoutOverwritten = (text: string): string =>
  text.replaceAll("\r\n", "\n").replace(/^.*\r(?=.)/gm, "");

export default memo(function TerminalText({ text }: { text: string }) {
  const sought = useContext(WholeOutputContext);
  const [opened, setOpened] = useState(false);
  const whole = opened || sought;
  const { pieces, hidden } = useMemo(() => readLines(text, whole), [text, whole]);
  return (
    <>
      {hidden > 0 && (
        <button
          type="button"
          onClick={() => setOpened(true)}
          className="-mx-1 mb-0.5 rounded-sm px-1 text-accent hover:bg-hover phone:min-h-11"
        >
          {hidden === 1 ? codeTexts.earlierLine : codeTexts.earlierLines(grouped(hidden))}
        </button>
      )}
      {hidden > 0 && "\n"}
      {pieces.map((piece, at) =>
        at === pieces.length - 1 ? (
          // Pieces have no identity but their place
          <Coloured key={at} text={piece} />
        ) : (
          <span key={at} className="block [contain-intrinsic-size:auto_10000px] [content-visibility:auto]">
            <Coloured text={piece} />
          </span>
        ),
      )}
    </>
  );
});

/** The last lines, or all of them in pieces. */
function readLines(text: string, whole: boolean): { pieces: string[]; hidden: number } {
  const lines = withoutOverwritten(whole ? text : text.slice(-longest))
    .replace(/\n$/, "")
    .split("\n");
  if (!whole) {
    const pieces = [lines.slice(-shownLines).join("\n")];
    return { pieces, hidden: countLines(text) - Math.min(lines.length, shownLines) };
  }
  const pieces: string[] = [];
  for (let at = 0; at < lines.length; at += pieceLines)
    pieces.push(lines.slice(at, at + pieceLines).join("\n"));
  return { pieces, hidden: 0 };
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < text.length - 1; at = text.indexOf("\n", at + 1))
    count++;
  return count;
}

const Coloured = memo(function Coloured({ text }: { text: string }) {
  const parts = useMemo(() => Anser.ansiToJson(text, { use_classes: true, remove_empty: true }), [text]);
  return parts.map((part, index) => {
    const style = ansiStyle(part);
    // Parts have no identity but their place
    if (style === undefined) return <FileLinks key={index} text={part.content} />;
    return (
      <span key={index} style={style}>
        <FileLinks text={part.content} />
      </span>
    );
  });
});
