// Markdown, split into its top-level blocks as it grows. Only the last block can still change, so only the text
// from its start is read again. Settled blocks lie in runs that never change, so that an answer of a thousand
// blocks costs a page no more per delta than a short one. A block of monstrous size is no prose: from there on
// the text is cut into plain pieces, so that the work per delta stays bounded whatever a worker writes.
import { lexBlocks } from "./grammar.ts";

export type Block =
  | { kind: "markdown"; start: number; text: string }
  | { kind: "code"; start: number; text: string; language: string }
  | { kind: "plain"; start: number; text: string };

export interface Blocks {
  source: string;
  /** Settled, `runLength` blocks each. */
  runs: readonly (readonly Block[])[];
  /** The others; only the last one of them can change. */
  tail: readonly Block[];
}

export const noBlocks: Blocks = { source: "", runs: [], tail: [] };

/** Far longer than any paragraph, list or file in an answer, and still read within a frame. */
export const longestBlock = 64 * 1024;
const pieceLength = 16 * 1024;
const runLength = 16;

export function growBlocks(before: Blocks, source: string): Blocks {
  if (source === before.source) return before;
  const last = goesOn(before, source) ? before.tail.at(-1) : undefined;
  const from = last?.start ?? 0;
  const rest = last?.kind === "plain" ? cut(source, from) : lex(source, from);
  const open = last === undefined ? rest : [...before.tail.slice(0, -1), ...rest];
  const runs = last === undefined ? [] : before.runs;
  return { source, ...intoRuns(runs, open) };
}

/** Remembers what it read last, which is what makes the next reading short. */
export function createGrower(): (source: string) => Blocks {
  let last = noBlocks;
  return (source) => {
    last = growBlocks(last, source);
    return last;
  };
}

/** The text begins as the one before: compared where it began and where it ended, for all of it is too much per delta. */
function goesOn(before: Blocks, source: string): boolean {
  const length = before.source.length;
  if (source.length <= length) return false;
  const from = Math.max(before.tail.at(-1)?.start ?? 0, length - longestBlock);
  const head = Math.min(length, 256);
  return (
    source.slice(0, head) === before.source.slice(0, head) &&
    source.slice(from, length) === before.source.slice(from)
  );
}

function intoRuns(runs: Blocks["runs"], open: readonly Block[]): Pick<Blocks, "runs" | "tail"> {
  // The last block stays in the tail: it is the one that may change.
  const full = Math.floor((open.length - 1) / runLength);
  if (full <= 0) return { runs, tail: open };
  const added = Array.from({ length: full }, (_, at) => open.slice(at * runLength, (at + 1) * runLength));
  return { runs: [...runs, ...added], tail: open.slice(full * runLength) };
}

function lex(source: string, from: number): Block[] {
  const blocks: Block[] = [];
  let start = from;
  // The lexer turns CRLF into LF, which would make its lengths differ from the source's.
  for (const token of lexBlocks(source.slice(from).replaceAll("\r", " "))) {
    if (token.raw.length > longestBlock) return [...blocks, ...cut(source, start)];
    if (token.type === "code" && token["codeBlockStyle"] !== "indented") {
      const language = typeof token["lang"] === "string" ? (token["lang"].split(/\s/)[0] ?? "") : "";
      blocks.push({ kind: "code", start, text: String(token["text"] ?? ""), language });
    } else if (token.type !== "space") {
      blocks.push({ kind: "markdown", start, text: token.raw });
    }
    start += token.raw.length;
  }
  return blocks;
}

/** Pieces that end at a line where there is one, and never inside a surrogate pair. */
function cut(source: string, from: number): Block[] {
  const pieces: Block[] = [];
  for (let start = from; start < source.length; ) {
    let end = Math.min(source.length, start + pieceLength);
    if (end < source.length) {
      const line = source.lastIndexOf("\n", end);
      if (line > start + pieceLength / 2) end = line + 1;
      else if (isHighSurrogate(source.charCodeAt(end - 1))) end--;
    }
    pieces.push({ kind: "plain", start, text: source.slice(start, end) });
    start = end;
  }
  return pieces;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
