// Compaction that nobody asked for: when the context is nearly full, and when a provider says that it is
// too full. Told with events of its own, and never the reason for a turn to fail.
import type { Agent } from "../agent.ts";
import { compact } from "./compaction.ts";

/** zot's share of the window; the rest is room for the next answer and what its tools bring. */
const fullAt = 0.85;
/** After a compaction so many messages must have come before another one is worth its price. */
const worthwhile = 6;

/** Before a model call. */
export async function compactIfFull(agent: Agent, signal: AbortSignal): Promise<void> {
  const { model, contextTokens, messages } = agent.conversation;
  if (!agent.modes.autoCompaction || model.contextWindow === 0 || contextTokens === null) return;
  if (contextTokens < fullAt * model.contextWindow) return;
  if (messages.length - agent.conversation.compactedLength < worthwhile) return;
  await compactUnasked(agent, "threshold", signal);
}

/** True: the call may be made again. */
export async function compactAfterOverflow(agent: Agent, signal: AbortSignal): Promise<boolean> {
  return agent.modes.autoCompaction && compactUnasked(agent, "overflow", signal);
}

async function compactUnasked(
  agent: Agent,
  reason: "threshold" | "overflow",
  signal: AbortSignal,
): Promise<boolean> {
  agent.output.write({ type: "auto_compaction_start", reason });
  const problem = await compact(agent, undefined, signal);
  const done = problem === null;
  agent.output.write({
    type: "auto_compaction_end",
    aborted: signal.aborted,
    willRetry: done && reason === "overflow",
    ...(done || signal.aborted ? {} : { errorMessage: problem }),
  });
  return done;
}
