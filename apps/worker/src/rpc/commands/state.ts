// Commands that only read the worker's memory.
import type { Agent } from "../../agent/agent.ts";
import { withoutImageData } from "../../agent/conversation.ts";
import type { Handlers } from "../exchange.ts";

export function stateCommands(agent: Agent): Handlers<"ping" | "get_state" | "get_messages"> {
  const { conversation, turns } = agent;
  return {
    ping: (_command, { succeed }) => succeed({ pong: true }),
    get_state(_command, { succeed }) {
      const { model, cwd, messages, usage } = conversation;
      succeed({
        provider: model.provider,
        model: model.id,
        cwd,
        message_count: messages.length,
        busy: turns.busy,
        usage,
        ...(model.contextWindow > 0 ? { context_window: model.contextWindow } : {}),
      });
    },
    get_messages: (_command, { succeed }) =>
      succeed({ messages: conversation.messages.map(withoutImageData) }),
  };
}
