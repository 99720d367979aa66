// Adds a person's message to the conversation, with the files that it mentions. It takes effect with the next model call.
import { withMentions } from "../../context/mentions.ts";
import type { WorkerOutput } from "../../output/worker-output.ts";
import type { CreateToolContext } from "../../tools/tool-context.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { Prompt } from "../prompts/prompt.ts";

export interface PromptParts {
  readonly conversation: Conversation;
  readonly output: WorkerOutput;
  readonly toolContext: CreateToolContext;
}

export async function addPrompt(
  { conversation, output, toolContext }: PromptParts,
  { content, key }: Prompt,
  { steering, signal }: { steering: boolean; signal: AbortSignal },
): Promise<void> {
  const withFiles = await withMentions(content, () => toolContext(signal), signal);
  const { role: _role, ...message } = conversation.add("user", withFiles);
  output.write({
    type: "user_message",
    ...message,
    ...(steering ? { steering } : {}),
    ...(key === undefined ? {} : { key }),
  });
}
