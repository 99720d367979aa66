// Commands that start or end work: each prompt and compaction is a turn, whose code is loaded when the
// first one starts.
import type { Agent } from "../../agent/agent.ts";
import { readPrompt } from "../../agent/prompt-content.ts";
import type { Exchange, Handlers } from "../exchange.ts";

export function turnCommands(agent: Agent): Handlers<"prompt" | "compact" | "abort"> {
  return {
    prompt(command, exchange) {
      const prompt = readPrompt(command);
      if (!prompt.ok) return exchange.fail(prompt.error);
      take(agent, exchange, async (signal) => {
        const { runPrompt } = await import("../../agent/turns.ts");
        await runPrompt(agent, prompt.content, signal);
      });
    },
    compact({ customInstructions }, exchange) {
      take(agent, exchange, async (signal) => {
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

function take(agent: Agent, exchange: Exchange, run: (signal: AbortSignal) => Promise<void>): void {
  const { output } = agent;
  const taken = agent.turns.add({
    bytes: exchange.bytes,
    run: async (signal) => {
      exchange.succeed({ started: true });
      try {
        await agent.open();
        await run(signal);
      } catch (error) {
        // A turn ends itself in every case it foresees. This is the one it did not.
        output.write({ type: "error", message: `internal error: ${String(error)}` });
        output.write({ type: "done" });
      }
    },
  });
  if (!taken) exchange.fail("too many prompts are waiting; try again when one is done");
}
