// Compaction: one model call turns all but the last messages into a summary. Unlike zot's, its cost is
// counted, and it always ends with `done`, also when it is aborted.
import { compactedMessages } from "@patchbay/protocol";
import type { Agent } from "./agent.ts";
import { callModel } from "./model-call.ts";
import { serialise } from "./serialise.ts";

/** The newest messages stay as they are: they are what the next prompt refers to. */
const keep = 4;
const maxSummaryTokens = 4_096;

export async function runCompaction(
  agent: Agent,
  instructions: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { conversation, output } = agent;
  const began = performance.now();
  const summary = await summarise(agent, instructions, signal);
  if ("problem" in summary) output.write({ type: "error", message: summary.problem });
  else {
    conversation.messages = compactedMessages(summary.text, conversation.messages.slice(-keep));
    output.write({ type: "compact_done", summary: summary.text, kept: keep });
  }
  output.write({ type: "done", duration_ms: Math.round(performance.now() - began) });
}

async function summarise(
  agent: Agent,
  instructions: string | undefined,
  signal: AbortSignal,
): Promise<{ text: string } | { problem: string }> {
  const { messages, model } = agent.conversation;
  if (messages.length === 0) return { problem: "nothing to compact" };
  if (messages.length <= keep) {
    return { problem: "nothing to compact: keep-tail covers the whole transcript" };
  }
  const text = `<conversation>\n${serialise(messages.slice(0, -keep))}\n</conversation>\n\n${request(instructions)}`;
  const answer = await callModel(
    agent,
    {
      purpose: "summary",
      model,
      system: summariser,
      messages: [{ role: "user", content: [{ type: "text", text }], time: new Date().toISOString() }],
      tools: [],
      maxTokens: maxSummaryTokens,
      signal,
    },
    false,
  );
  if (answer.stop === "aborted" || signal.aborted) return { problem: "aborted" };
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
