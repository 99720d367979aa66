// Slash commands over rpc, where zot has them in its terminal only.
import type { Agent } from "../../agent/agent.ts";
import { commandsOf, promptOf, refreshCommands, runCommand } from "../../agent/prompts/slash-commands.ts";
import { beginPrompt } from "../begin-turn.ts";
import type { Handlers } from "../exchange.ts";

export function slashCommands(agent: Agent): Handlers<"get_commands" | "run_command"> {
  return {
    async get_commands(_command, { succeed }) {
      await agent.open();
      await refreshCommands(agent);
      succeed({ commands: commandsOf(agent) });
    },
    /** Runs at once, beside a turn too; only a prompt that comes of it waits for the turns before it. */
    async run_command({ name, args, start }, exchange) {
      await agent.open();
      await refreshCommands(agent);
      const outcome = await runCommand(agent, name, args ?? "", agent.closing);
      if (outcome.action === "done") return exchange.succeed(outcome.data ?? { action: "noop" });
      const { text } = outcome;
      if (text.trim() === "") return exchange.fail(`/${name} made an empty prompt of it`);
      if (start === false) return exchange.succeed({ action: "prompt", text });
      beginPrompt(agent, exchange, [{ content: promptOf(outcome), resolved: true }], {
        action: "prompt",
        text,
      });
    },
  };
}
