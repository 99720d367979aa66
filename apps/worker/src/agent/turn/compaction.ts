// Compaction: one model call turns all but the last messages into a summary. Unlike zot's, its cost is
// counted, and it always ends with `done`, also when it is aborted.
import { compactedMessages, type Message } from "@patchbay/protocol";
import { cancelled } from "../../models/adapters/adapter.ts";
import { callWithRetries, type RetryParts } from "./call-with-retries.ts";
import { estimateTokens, serialise } from "./serialise.ts";

/** The newest messages stay as they are: they are what the next prompt refers to. */
const keep = 4;
/** But not if they alone fill this share of the window: then the summary must have them. */
const tailShare = 0.5;
/** How much of the window the conversation may take in the summariser's own call. */
const summaryShare = 0.6;
const maxSummaryTokens = 4_096;

/** A compaction that a person asked for. */
export async function runCompaction(
  parts: RetryParts,
  instructions: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { output } = parts;
  const began = performance.now();
  const problem = await compactConversation(parts, instructions, signal);
  if (problem !== null) output.write({ type: "error", message: problem });
  output.write({ type: "done", duration_ms: Math.round(performance.now() - began) });
}

/** What went wrong, or null; then `compact_done` has been written. */
export async function compactConversation(
  parts: RetryParts,
  instructions: string | undefined,
  signal: AbortSignal,
): Promise<string | null> {
  const { conversation, output } = parts;
  const kept = tailLength(conversation.messages, conversation.model.contextWindow);
  conversation.compacting = true;
  const summary = await summarise(parts, kept, instructions, signal).finally(() => {
    conversation.compacting = false;
  });
  if ("problem" in summary) return summary.problem;
  const tail = conversation.messages.slice(conversation.messages.length - kept);
  conversation.compact(compactedMessages(summary.text, tail));
  output.write({ type: "compact_done", summary: summary.text, kept });
  return null;
}

/** How many messages stay. A window of unknown size is taken to be large enough. */
function tailLength(messages: readonly Message[], contextWindow: number): number {
  const room = contextWindow === 0 ? Number.POSITIVE_INFINITY : contextWindow * tailShare;
  for (let count = keep; count > 0; count--) {
    if (estimateTokens(messages.slice(-count)) <= room) return count;
  }
  // A prompt without an answer is never summarised away.
  return messages.at(-1)?.role === "user" ? 1 : 0;
}

async function summarise(
  parts: RetryParts,
  kept: number,
  instructions: string | undefined,
  signal: AbortSignal,
): Promise<{ text: string } | { problem: string }> {
  const { messages, model } = parts.conversation;
  if (messages.length === 0) return { problem: "nothing to compact" };
  if (messages.length <= kept) {
    return { problem: "nothing to compact: keep-tail covers the whole transcript" };
  }
  const older = messages.slice(0, messages.length - kept);
  const room = model.contextWindow === 0 ? undefined : model.contextWindow * summaryShare;
  const text = `<conversation>\n${serialise(older, room)}\n</conversation>\n\n${request(instructions)}`;
  const answer = await callWithRetries(
    parts,
    {
      purpose: "summary",
      model,
      system: summariser,
      messages: [{ role: "user", content: [{ type: "text", text }], time: new Date().toISOString() }],
      tools: [],
      thinking: "off",
      maxTokens: maxSummaryTokens,
      signal,
    },
    false,
  );
  if (answer.stop === "aborted" || signal.aborted) {
    // The server may have denied the call, and said why.
    const { error = cancelled } = answer;
    return { problem: signal.aborted || error === cancelled ? "aborted" : error };
  }
  if (answer.stop === "error") return { problem: answer.error ?? "the model failed" };
  const summary = answer.content
    .flatMap((block) => (block.type === "text" ? [block.text] : []))
    .join("\n")
    .trim();
  return summary === "" ? { problem: "empty summary from model" } : { text: summary };
}

const summariser = `You summarise conversations between a person and a coding agent, so that the agent can go on with only your summary. You do not continue the conversation and do not answer questions in it. You write only the summary.`;

const request = (instructions: string | undefined): string =>
  `Summarise the conversation above in markdown, with exactly these sections:

## Goal
## Constraints & Preferences
## Progress
### Done
### In Progress
### Blocked
## Key Decisions
## Next Steps
## Critical Context

Keep file paths, names of functions, commands and error messages exactly as they are. Leave out what no longer matters.${
    instructions ? `\n\nThe person also asks: ${instructions}` : ""
  }`;
