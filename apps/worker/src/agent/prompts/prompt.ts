// A message of a person on its way into the conversation.
import type { ContentBlock } from "@patchbay/protocol";

export interface Prompt {
  readonly content: ContentBlock[];
  /** The sender's own id for it. */
  readonly key?: string | undefined;
  /** A slash command made it: it is not read as a slash command again. */
  readonly resolved?: boolean;
}

/** Enough to recognise it in a list. */
const excerptLength = 2_000;

export function excerptOf({ content }: Prompt): string {
  const text = content.map((block) => (block.type === "text" ? block.text : "[image]")).join("\n");
  return text.length > excerptLength ? `${text.slice(0, excerptLength)}…` : text;
}
