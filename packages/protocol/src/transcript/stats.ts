// The figures of a session, with omp's field names.
import { messageText } from "../events/message.ts";
import type { Transcript } from "./transcript.ts";

export function sessionStats(
  transcript: Transcript,
  session: { sessionId: string; contextWindow?: number | undefined },
) {
  const { messages, usage, context_tokens } = transcript;
  const blocks = messages.flatMap(({ content }) => content);
  const count = (matches: boolean[]): number => matches.filter(Boolean).length;
  const { input, output, cache_read, cache_write, cost_usd, unpriced, estimated, low_usd, high_usd } = usage;
  const window = session.contextWindow ?? 0;
  return {
    sessionId: session.sessionId,
    userMessages: count(messages.map(({ role, bash }) => role === "user" && bash === undefined)),
    assistantMessages: count(messages.map(({ role }) => role === "assistant")),
    toolCalls: count(blocks.map(({ type }) => type === "tool_call")),
    toolResults: count(blocks.map(({ type }) => type === "tool_result")),
    /** A person's own commands included. */
    totalMessages: messages.length,
    /** Of the whole session: what was spent on other branches was spent. */
    tokens: {
      input,
      output,
      cacheRead: cache_read,
      cacheWrite: cache_write,
      total: input + output + cache_read + cache_write,
    },
    cost: cost_usd,
    ...(unpriced === undefined ? {} : { unpriced }),
    ...(estimated === undefined ? {} : { estimated, costLow: low_usd, costHigh: high_usd }),
    ...(context_tokens === null
      ? {}
      : {
          contextUsage: {
            tokens: context_tokens,
            ...(window > 0
              ? { contextWindow: window, percent: Math.round((context_tokens / window) * 10_000) / 100 }
              : {}),
          },
        }),
  };
}

/** The text of the newest answer that has any; null when there is none. */
export function lastAssistantText({ messages }: Pick<Transcript, "messages">): string | null {
  for (const message of messages.toReversed()) {
    const text = message.role === "assistant" ? messageText(message).trim() : "";
    if (text !== "") return text;
  }
  return null;
}

/** The prompts one can go back to, as omp lists them. */
export const branchMessages = ({ messages }: Pick<Transcript, "messages">) =>
  messages.flatMap((message) =>
    message.entry_id === undefined ? [] : [{ entryId: message.entry_id, text: messageText(message) }],
  );
