// Markdown, split into its top-level blocks as it grows. Only the last block can still change, so
// only the text from its start is read again; everything before keeps its objects and is not rendered
// twice. A block of monstrous size is no prose: from there on the text is cut into plain pieces, so that
// the work per delta stays bounded whatever a worker writes.
import { Lexer } from "marked";

export type Block =
  | { kind: "markdown"; start: number; text: string }
  | { kind: "code"; start: number; text: string; language: string }
  | { kind: "plain"; start: number; text: string };

export interface Blocks {
  source: string;
  blocks: readonly Block[];
}

export const noBlocks: Blocks = { source: "", blocks: [] };

/** Far longer than any paragraph, list or file in an answer, and still read within a frame. */
export const longestBlock = 64 * 1024;
const pieceLength = 16 * 1024;

export function growBlocks(before: Blocks, source: string): Blocks {
  if (source === before.source) return before;
  const grown = source.length > before.source.length && source.startsWith(before.source);
  const last = grown ? before.blocks.at(-1) : undefined;
  const settled = grown ? before.blocks.slice(0, -1) : [];
  const from = last?.start ?? 0;
  const rest = last?.kind === "plain" ? cut(source, from) : lex(source, from);
  return { source, blocks: [...settled, ...rest] };
}

/** Remembers what it read last, which is what makes the next reading short. */
export function createGrower(): (source: string) => readonly Block[] {
  let last = noBlocks;
  return (source) => {
    last = growBlocks(last, source);
    return last.blocks;
  };
}

function lex(source: string, from: number): Block[] {
  const blocks: Block[] = [];
  let start = from;
  // The lexer turns CRLF into LF, which would make its lengths differ from the source's.
  for (const token of new Lexer({ gfm: true }).blockTokens(source.slice(from).replaceAll("\r", " "), [])) {
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
