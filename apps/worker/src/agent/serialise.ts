// A transcript as plain text for the summariser. Long results are shortened: a summary needs to know
// what a command said, not every line of it.
import type { ContentBlock, Message } from "@patchbay/protocol";

/** Enough for an error message with its surroundings. */
const maxResultChars = 8_000;

export function serialise(messages: readonly Message[]): string {
  return messages
    .map((message) => `--- ${message.role} ---\n${message.content.map(line).filter(Boolean).join("\n")}`)
    .join("\n\n");
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
