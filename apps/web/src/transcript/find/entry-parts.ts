// The texts of an entry that can be found, in the order in which they are shown. Pure.
import {
  bashOutput,
  type ContentBlock,
  type Mark,
  messageText,
  type ToolCallBlock,
  type ToolResultBlock,
} from "@patchbay/protocol";
import type { MarkedToken, Token } from "marked";
import { groupContent, groupId } from "../entries/content-groups.ts";
import type { TranscriptEntry } from "../entries/entries.ts";
import { decodeEntities } from "../markdown/entities.ts";
import { isMath, lexAll } from "../markdown/grammar.ts";
import { failureText } from "../marks/failure-text.ts";
import { textsIn } from "../message-link/find-match.ts";
import { resultText } from "../tools/tool-state.ts";

export interface EntryPart {
  text: string;
  /** The card that has it, which is folded until it is opened; null: it is in the text of the entry. */
  call: string | null;
  /** The group that holds the card. */
  group: string | null;
}

export type Results = ReadonlyMap<string, ToolResultBlock>;

export function entryParts(entry: TranscriptEntry, results: Results): EntryPart[] {
  switch (entry.kind) {
    case "user":
      return [plain(messageText(entry.message))];
    case "command":
      return [plain(entry.message.bash?.command ?? ""), plain(bashOutput(entry.message))];
    case "answer":
      return contentParts(entry.content, results);
    case "mark":
      return markParts(entry.mark);
    case "evicted":
      return []; // its message has to be fetched
  }
}

const plain = (text: string): EntryPart => ({ text, call: null, group: null });

export function contentParts(content: readonly ContentBlock[], results: Results): EntryPart[] {
  return groupContent(content).flatMap((group): EntryPart[] => {
    if (group.kind === "calls")
      return group.calls.map((call) => callPart(call, groupId(group.calls), results));
    const { block } = group;
    if (block.type === "text") return [plain(markdownText(block.text))];
    if (block.type === "thinking") return [plain(block.text)];
    return block.type === "tool_call" ? [callPart(block, null, results)] : [];
  });
}

function callPart(block: ToolCallBlock, group: string | null, results: Results): EntryPart {
  const result = results.get(block.id);
  const texts = [...textsIn(block.args), ...(result === undefined ? [] : [resultText(result.content)])];
  return { text: texts.join("\n"), call: block.id, group };
}

function markParts(mark: Mark): EntryPart[] {
  if (mark.kind === "notice") return [plain(mark.text)];
  if (mark.kind === "unkept") return contentParts(mark.content, new Map());
  const failure = failureText(mark);
  return failure === null ? [] : [plain(`${failure.title}\n${failure.text}`)];
}

/** Markdown as it is read: without its markup. */
export function markdownText(source: string): string {
  return tokensText(lexAll(source));
}

const tokensText = (tokens: readonly Token[]): string => tokens.map(tokenText).join("");

const blocks = new Set([
  "paragraph",
  "heading",
  "code",
  "blockquote",
  "list",
  "table",
  "hr",
  "space",
  "html",
]);

/** All tokens but the formulas are marked's own. */
const isMarked = (token: Token): token is MarkedToken => !isMath(token);

function tokenText(token: Token): string {
  if (!isMarked(token)) return isMath(token) ? token.text : "";
  const end = blocks.has(token.type) ? "\n" : "";
  switch (token.type) {
    case "br":
      return "\n";
    case "list":
      return `${token.items.map(({ tokens }) => tokensText(tokens)).join("\n")}\n`;
    case "table":
      return `${[token.header, ...token.rows].flatMap((row) => row.map(({ tokens }) => tokensText(tokens))).join("\n")}\n`;
    case "code":
    case "codespan":
      return `${token.text}${end}`;
    default:
      if ("tokens" in token && token.tokens !== undefined && token.tokens.length > 0)
        return `${tokensText(token.tokens)}${end}`;
      return `${"text" in token ? decodeEntities(token.text) : ""}${end}`;
  }
}
