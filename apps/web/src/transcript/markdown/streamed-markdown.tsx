// Streamed markdown. A chunk of its own, loaded when the first answer is shown. One memoised component per
// top-level block and per run of settled ones; code blocks skip the parser, so a long one costs nothing per delta.
import { memo, type ReactNode, useMemo, useState } from "react";
import remend from "remend";
import { CodeBlock } from "../../code/code-block.tsx";
import { type Block, type Blocks, createGrower } from "./blocks.ts";
import { lexAll } from "./grammar.ts";
import { renderTokens } from "./tokens.tsx";

interface BlockProps {
  block: Block;
  growing: boolean;
}

const MarkdownBlock = memo(function MarkdownBlock({ block, growing }: BlockProps) {
  if (block.kind === "plain") return <PlainPiece text={block.text} />;
  if (block.kind === "code")
    return <CodeBlock code={block.text} language={block.language} settled={!growing} />;
  return renderTokens(lexAll(growing ? remend(block.text, { linkMode: "text-only" }) : block.text));
});

/** Not laid out while it is off the screen: there may be hundreds of these. */
const PlainPiece = ({ text }: { text: string }) => (
  <div className="!mt-0 whitespace-pre-wrap [contain-intrinsic-size:auto_600px] [content-visibility:auto]">
    {text}
  </div>
);

interface RunProps {
  blocks: readonly Block[];
  growing: boolean;
  /** What stands before it is one. */
  afterHeading: boolean;
  /** More text follows it than is in view at once. */
  passed: boolean;
}

/**
 * An element of its own, so that the browser passes by one that is off the screen as a whole and not block by block. The
 * tail is a run as well: its blocks stay what they are when it is full and settles.
 */
const Run = memo(function Run({ blocks, growing, afterHeading, passed }: RunProps) {
  const classes = `prose-run ${afterHeading ? "after-heading" : ""} ${passed ? "passed" : ""}`;
  return (
    <div className={classes} style={{ containIntrinsicBlockSize: `auto ${runHeight(blocks)}px` }}>
      {blocks.map((block, index) => (
        <MarkdownBlock key={block.start} block={block} growing={growing && index === blocks.length - 1} />
      ))}
    </div>
  );
});

/** About: a line of text is 25 px and 84 characters, and between blocks are 12. */
const runHeight = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, { text }) => sum + Math.ceil(text.length / 84) * 25 + 12, 0);

const isHeading = (block: Block | undefined): boolean =>
  block?.kind === "markdown" && /^ {0,3}#{1,6}\s/.test(block.text);

/** The same elements as long as no run is added: React passes them by. */
const settledRuns = (runs: Blocks["runs"]): ReactNode[] =>
  runs.map((run, index) => (
    <Run
      key={run[0]?.start}
      blocks={run}
      growing={false}
      passed={index < runs.length - 1}
      afterHeading={isHeading(runs[index - 1]?.at(-1))}
    />
  ));

export default function Markdown({ text, live }: { text: string; live: boolean }) {
  const [grow] = useState(createGrower);
  const { runs, tail } = grow(text);
  const settled = useMemo(() => settledRuns(runs), [runs]);
  const afterHeading = isHeading(runs.at(-1)?.at(-1));
  const last = (
    <Run key={tail[0]?.start} blocks={tail} growing={live} passed={false} afterHeading={afterHeading} />
  );
  // One list, so that what was the tail stays what it is when it settles.
  return <div className="prose">{[...settled, last]}</div>;
}
