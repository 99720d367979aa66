// The line that a list of sessions shows of a transcript: what the agent wrote last, the tool it called last, or the prompt.
import type { ContentBlock, Message } from "@patchbay/protocol";

const maxLength = 200;
/** A turn of many tool calls has few words: further back nothing is read. */
const maxMessages = 24;
/** Of a text of megabytes, only so much of the end (or the beginning) is looked at. */
const maxRead = 4_000;

/** Undefined: there is nothing to show. */
export function lastLine(messages: readonly Message[]): string | undefined {
  const end = Math.max(0, messages.length - maxMessages);
  for (let index = messages.length - 1; index >= end; index--) {
    const line = lineOf(messages[index]);
    if (line !== undefined) return line;
  }
  return undefined;
}

function lineOf(message: Message | undefined): string | undefined {
  if (message === undefined) return undefined;
  if (message.bash !== undefined) return shorten(`! ${message.bash.command.slice(0, maxRead)}`);
  if (message.role === "user") return lines(ownText(message.content).slice(0, maxRead)).at(0);
  for (const block of message.content.toReversed()) {
    if (block.type === "text") {
      const line = lines(block.text.slice(-maxRead)).at(-1);
      if (line !== undefined) return line;
    }
    if (block.type === "tool_call") return shorten(`${block.name} ${mainArgument(block.args)}`);
  }
  return undefined;
}

/** Without what was added for a mention. */
const ownText = (content: readonly ContentBlock[]): string =>
  content
    .flatMap((block) => (block.type === "text" && block.mention === undefined ? block.text : []))
    .join("\n");

/** A line without letters or digits (a rule, a fence) says nothing. */
const lines = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => shorten(line.replace(/^[\s>#*+-]+(?=\S)|\*\*|`/g, "")))
    .filter((line) => /[\p{L}\p{N}]/u.test(line));

/** The command, the path or the pattern of a call: its first text. */
function mainArgument(args: unknown): string {
  if (typeof args !== "object" || args === null) return "";
  const first = Object.values(args).find((value) => typeof value === "string");
  return typeof first === "string" ? (first.slice(0, maxRead).split("\n")[0] ?? "") : "";
}

/** Without characters that control a terminal or change the direction of text. */
function shorten(line: string): string {
  const plain = line
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return plain.length <= maxLength
    ? plain
    : `${plain.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
