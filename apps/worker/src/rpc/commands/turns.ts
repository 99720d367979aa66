// Commands that start or end work: each prompt and compaction is a turn, whose code is loaded when the
// first one starts.
import type { Agent } from "../../agent/agent.ts";
import { readPrompt } from "../../agent/prompt-content.ts";
import { resolveSlash } from "../../agent/slash.ts";
import type { Handlers } from "../exchange.ts";
import { takeTurn } from "../take-turn.ts";

export function turnCommands(agent: Agent): Handlers<"prompt" | "compact" | "abort"> {
  return {
    prompt(command, exchange) {
      const prompt = readPrompt(command);
      if (!prompt.ok) return exchange.fail(prompt.error);
      takeTurn(agent, exchange, { started: true }, async (signal) => {
        const content = await resolveSlash(agent, prompt.content, signal);
        if (content === null) return;
        const { runPrompt } = await import("../../agent/turns.ts");
        await runPrompt(agent, content, signal);
      });
    },
    compact({ customInstructions }, exchange) {
      takeTurn(agent, exchange, { started: true }, async (signal) => {
        const { runCompaction } = await import("../../agent/turns.ts");
        await runCompaction(agent, customInstructions, signal);
      });
    },
    abort(_command, exchange) {
      agent.turns.abort();
      exchange.succeed();
    },
  };
}
