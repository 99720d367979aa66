// A message of a person on its way into the conversation.
import type { ContentBlock } from "@patchbay/protocol";
import { withMentions } from "../../context/mentions.ts";
import type { Agent } from "../agent.ts";

export interface Prompt {
  readonly content: ContentBlock[];
  /** By which its sender knows it again. */
  readonly key?: string | undefined;
  /** A slash command made it: it is none itself. */
  readonly resolved?: boolean;
}

/** It takes effect here: the model sees it, and the files it mentions, with the next call. */
export async function say(
  agent: Agent,
  { content, key }: Prompt,
  { steering, signal }: { steering: boolean; signal: AbortSignal },
): Promise<void> {
  const said = await withMentions(agent, content, signal);
  const { role: _role, ...message } = agent.conversation.add("user", said);
  agent.output.write({
    type: "user_message",
    ...message,
    ...(steering ? { steering } : {}),
    ...(key === undefined ? {} : { key }),
  });
}

/** Enough to know it again in a list. */
const excerptLength = 2_000;

export function excerptOf({ content }: Prompt): string {
  const text = content.map((block) => (block.type === "text" ? block.text : "[image]")).join("\n");
  return text.length > excerptLength ? `${text.slice(0, excerptLength)}…` : text;
}
