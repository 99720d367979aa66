// Markdown, split into its top-level blocks as it grows. Only the last block can still change, so
// only the text from its start is read again; everything before keeps its objects and is not rendered twice.
import { Lexer } from "marked";

export type Block =
  | { kind: "markdown"; start: number; text: string }
  | { kind: "code"; start: number; text: string; language: string };

export interface Blocks {
  source: string;
  blocks: readonly Block[];
}

export const noBlocks: Blocks = { source: "", blocks: [] };

export function growBlocks(before: Blocks, source: string): Blocks {
  if (source === before.source) return before;
  const grown = source.length > before.source.length && source.startsWith(before.source);
  const settled = grown ? before.blocks.slice(0, -1) : [];
  const from = grown ? (before.blocks.at(-1)?.start ?? 0) : 0;
  return { source, blocks: [...settled, ...lex(source, from)] };
}

function lex(source: string, from: number): Block[] {
  const blocks: Block[] = [];
  let start = from;
  // The lexer turns CRLF into LF, which would make its lengths differ from the source's.
  for (const token of new Lexer({ gfm: true }).blockTokens(source.slice(from).replaceAll("\r", " "), [])) {
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
