// A transcript as plain text for the summariser. Long results are shortened: a summary needs the
// gist of a command's output, not every line of it.
import type { ContentBlock, Message } from "@patchbay/protocol";

/** Enough for an error message with its surroundings. */
const maxResultChars = 8_000;

/** Providers count about four characters of English as a token; code and other scripts have fewer. */
const charsPerToken = 3;
/** Providers charge an image by its area; this is what a large one costs. */
const imageTokens = 1_600;

/** With `maxTokens`, what stands between the first message and the newest that fit is left out. */
export function serialise(messages: readonly Message[], maxTokens = Number.POSITIVE_INFINITY): string {
  const passages = messages.map(
    (message) => `--- ${message.role} ---\n${message.content.map(line).filter(Boolean).join("\n")}`,
  );
  const [first = "", ...later] = passages;
  let room = maxTokens * charsPerToken - first.length;
  const fitting = later.length - later.toReversed().findIndex((passage) => (room -= passage.length) < 0);
  const from = fitting > later.length ? 0 : fitting;
  const gap = from === 0 ? [] : [`[${from} messages left out]`];
  return [first, ...gap, ...later.slice(from)].join("\n\n");
}

/** Roughly, and rather too many than too few: for decisions, never for a bill. */
export function estimateTokens(messages: readonly Message[]): number {
  const size = (block: ContentBlock): number => {
    if (block.type === "image") return imageTokens;
    if (block.type === "tool_result") return block.content.reduce((sum, part) => sum + size(part), 0);
    const text = block.type === "tool_call" ? JSON.stringify(block.args) : block.text;
    return Math.ceil((text ?? "").length / charsPerToken);
  };
  return messages.reduce((sum, { content }) => sum + content.reduce((all, block) => all + size(block), 0), 0);
}

function line(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "thinking":
      return "";
    case "image":
      return `[image: ${block.mime_type}, ${block.bytes} bytes]`;
    case "tool_call":
      return `[tool_call ${block.name} ${JSON.stringify(block.args)}]`;
    case "tool_result":
      return `[tool_result] ${shorten(block.content.map(line).join("\n"))}`;
  }
}

const shorten = (text: string): string =>
  text.length <= maxResultChars
    ? text
    : `${text.slice(0, maxResultChars / 2)}\n… [${text.length - maxResultChars} characters left out] …\n${text.slice(-maxResultChars / 2)}`;
