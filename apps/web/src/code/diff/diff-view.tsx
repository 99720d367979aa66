// A file edit, line by line, in one column or side by side, with the colours of its language. Signs and numbers stand
// in their own columns, so that copying takes only the text.
import { Columns2, Rows2 } from "lucide-react";
import { memo } from "react";
import { codeTexts } from "../texts.ts";
import { useDiffColours } from "./diff-colours.ts";
import type { DiffLine } from "./diff-lines.ts";
import { useDiffLook } from "./diff-look.ts";
import { pairLines } from "./diff-pairs.ts";

const looks: Readonly<Record<DiffLine["kind"], { sign: string; row: string; ink: string }>> = {
  added: { sign: "+", row: "bg-added", ink: "text-added-ink" },
  removed: { sign: "−", row: "bg-removed", ink: "text-removed-ink" },
  same: { sign: " ", row: "", ink: "text-faint" },
  gap: { sign: "⋯", row: "", ink: "text-faint" },
};

interface Props {
  lines: readonly DiffLine[];
  /** As highlight.js calls it; empty: without colours. */
  language?: string;
}

export const DiffView = memo(function DiffView({ lines, language = "" }: Props) {
  const look = useDiffLook((store) => store.look);
  const choose = useDiffLook((store) => store.choose);
  const coloured = useDiffColours(lines, language);
  const widest = lines.reduce((most, { number = 0 }) => Math.max(most, number), 0);
  const digits = widest === 0 ? 0 : String(widest).length + 1;
  const split = look === "split";
  return (
    <div className="@container">
      <div
        // What scrolls must scroll with the keyboard
        tabIndex={0}
        role="group"
        aria-label={codeTexts.changes}
        className="max-h-96 overflow-auto py-1.5 font-mono text-xs leading-5"
      >
        <div className={`w-max min-w-full ${split ? "@xl:hidden" : ""}`}>
          {lines.map((line, at) => (
            // The lines of a diff never change
            <Line key={at} line={line} html={coloured.get(line)} digits={digits} />
          ))}
        </div>
        {split && (
          <div className="hidden grid-cols-2 @xl:grid">
            {pairLines(lines).flatMap(({ before, after }, at) => [
              <Half key={`${at}-before`} line={before} html={htmlOf(coloured, before)} digits={digits} />,
              <Half key={`${at}-after`} line={after} html={htmlOf(coloured, after)} digits={digits} edge />,
            ])}
          </div>
        )}
      </div>
      <div className="hidden justify-end border-t border-line px-1 py-0.5 @xl:flex">
        <button
          type="button"
          onClick={() => choose(split ? "unified" : "split")}
          className="flex h-6 items-center gap-1.5 rounded-sm px-2 font-sans text-xs text-faint hover:bg-hover hover:text-ink"
        >
          {split ? <Rows2 size={13} aria-hidden /> : <Columns2 size={13} aria-hidden />}
          {split ? codeTexts.oneColumn : codeTexts.sideBySide}
        </button>
      </div>
    </div>
  );
});

const htmlOf = (coloured: ReadonlyMap<DiffLine, string>, line: DiffLine | null): string | undefined =>
  line === null ? undefined : coloured.get(line);

interface LineProps {
  line: DiffLine;
  html: string | undefined;
  digits: number;
}

function Line({ line, html, digits }: LineProps) {
  const look = looks[line.kind];
  return (
    <div className={`flex min-h-5 ${look.row}`}>
      <Gutter line={line} digits={digits} />
      <LineText line={line} html={html} className="pr-10 whitespace-pre" />
    </div>
  );
}

/** One side of two; where the other has more lines, it is empty. */
function Half({
  line,
  html,
  digits,
  edge = false,
}: Omit<LineProps, "line"> & { line: DiffLine | null; edge?: boolean }) {
  const border = edge ? "border-l border-line" : "";
  if (line === null) return <div className={`min-h-5 bg-hover/40 ${border}`} />;
  return (
    <div className={`flex min-h-5 min-w-0 ${looks[line.kind].row} ${border}`}>
      <Gutter line={line} digits={digits} />
      <LineText
        line={line}
        html={html}
        className="min-w-0 pr-2 whitespace-pre-wrap [overflow-wrap:anywhere]"
      />
    </div>
  );
}

function Gutter({ line, digits }: { line: DiffLine; digits: number }) {
  const { sign, ink } = looks[line.kind];
  return (
    <>
      {digits > 0 && (
        <span
          aria-hidden
          style={{ width: `${digits}ch` }}
          className="ml-2 shrink-0 text-right text-faint tabular-nums select-none"
        >
          {line.number}
        </span>
      )}
      <span aria-hidden className={`w-7 shrink-0 text-center select-none ${ink}`}>
        {sign}
      </span>
    </>
  );
}

function LineText({
  line,
  html,
  className,
}: {
  line: DiffLine;
  html: string | undefined;
  className: string;
}) {
  // Without colours of its language a line has the colour of its kind.
  if (html === undefined || line.kind === "gap")
    return <span className={`${className} ${looks[line.kind].ink}`}>{line.text}</span>;
  // highlight.js escaped everything but its own spans
  return <span className={className} dangerouslySetInnerHTML={{ __html: html }} />;
}
