// Automatic compaction: when the context is nearly full, and when a provider refuses it as too long. It has
// events of its own, and its failure never fails a turn.

import type { RetryParts } from "./call-with-retries.ts";
import { compactConversation } from "./compaction.ts";

/** zot's share of the window; the rest is room for the next answer and what its tools bring. */
const fullAt = 0.85;
/** After a compaction so many messages must have come before another one is worth its price. */
const worthwhile = 6;

/** Before a model call. */
export async function compactIfFull(parts: RetryParts, signal: AbortSignal): Promise<void> {
  const { model, contextTokens, messages } = parts.conversation;
  if (!parts.modes.autoCompaction || model.contextWindow === 0 || contextTokens === null) return;
  if (contextTokens < fullAt * model.contextWindow) return;
  if (messages.length - parts.conversation.compactedLength < worthwhile) return;
  await compactAutomatically(parts, "threshold", signal);
}

/** True: the call may be made again. */
export async function compactAfterOverflow(parts: RetryParts, signal: AbortSignal): Promise<boolean> {
  return parts.modes.autoCompaction && compactAutomatically(parts, "overflow", signal);
}

async function compactAutomatically(
  parts: RetryParts,
  reason: "threshold" | "overflow",
  signal: AbortSignal,
): Promise<boolean> {
  parts.output.write({ type: "auto_compaction_start", reason });
  const problem = await compactConversation(parts, undefined, signal);
  const done = problem === null;
  parts.output.write({
    type: "auto_compaction_end",
    aborted: signal.aborted,
    willRetry: done && reason === "overflow",
    ...(done || signal.aborted ? {} : { errorMessage: problem }),
  });
  return done;
}
