// Commands that only read the worker's state.
import { type Conversation, withoutImageData } from "../../agent/conversation/conversation.ts";
import type { TurnModes } from "../../agent/conversation/turn-modes.ts";
import type { SteeringQueue } from "../../agent/prompts/steering-queue.ts";
import type { TurnQueue } from "../../agent/prompts/turn-queue.ts";
import type { RetryPause } from "../../agent/turn/retry-pause.ts";
import type { Handlers } from "../exchange.ts";

interface StateParts {
  readonly conversation: Conversation;
  readonly turns: TurnQueue;
  readonly modes: TurnModes;
  readonly steering: SteeringQueue;
  readonly retryPause: RetryPause;
}

export function stateHandlers({
  conversation,
  turns,
  modes,
  steering,
  retryPause,
}: StateParts): Handlers<"ping" | "get_state" | "get_messages"> {
  return {
    ping: (_command, { succeed }) => succeed({ pong: true }),
    get_state(_command, { succeed }) {
      const { model, cwd, messages, usage, contextTokens } = conversation;
      const { thinkingLevel } = modes;
      succeed({
        provider: model.provider,
        model: model.id,
        cwd,
        message_count: messages.length,
        busy: turns.busy,
        usage,
        reasoning: thinkingLevel,
        ...(model.contextWindow > 0 ? { context_window: model.contextWindow } : {}),
        ...(contextTokens === null ? {} : { context_tokens: contextTokens }),
        // omp's, but for its `model`: that name is zot's, and holds a string.
        active_model: { provider: model.provider, id: model.id },
        thinkingLevel,
        isStreaming: turns.prompting,
        isCompacting: conversation.compacting,
        isRetrying: retryPause.waiting,
        steeringMode: modes.steering,
        followUpMode: modes.followUp,
        interruptMode: modes.interrupt,
        sessionId: conversation.id,
        ...(conversation.name === undefined ? {} : { sessionName: conversation.name }),
        autoCompactionEnabled: modes.autoCompaction,
        autoRetryEnabled: modes.autoRetry,
        messageCount: messages.length,
        queuedMessageCount: steering.length + turns.excerpts.length,
      });
    },
    get_messages: (_command, { succeed }) =>
      succeed({ messages: conversation.messages.map(withoutImageData) }),
  };
}
