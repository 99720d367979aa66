// Slash commands over rpc, where zot has them in its terminal only.
import type { Lifecycle } from "../../agent/lifecycle.ts";
import { promptContent, type SlashCommands } from "../../agent/prompts/slash-commands.ts";
import { beginPrompt, type TurnControl } from "../begin-turn.ts";
import type { Handlers } from "../exchange.ts";

interface SlashParts {
  readonly slash: SlashCommands;
  readonly lifecycle: Lifecycle;
  readonly control: TurnControl;
}

export function slashHandlers({
  slash,
  lifecycle,
  control,
}: SlashParts): Handlers<"get_commands" | "run_command"> {
  return {
    async get_commands(_command, { succeed }) {
      await lifecycle.open();
      await slash.refresh();
      succeed({ commands: slash.list() });
    },
    /** Runs at once, also during a turn; only a prompt that it makes is queued behind other turns. */
    async run_command({ name, args, start }, exchange) {
      await lifecycle.open();
      await slash.refresh();
      const outcome = await slash.run(name, args ?? "", lifecycle.closing);
      if (outcome.action === "done") return exchange.succeed(outcome.data ?? { action: "noop" });
      const { text } = outcome;
      if (text.trim() === "") return exchange.fail(`/${name} made an empty prompt`);
      if (start === false) return exchange.succeed({ action: "prompt", text });
      beginPrompt(control, exchange, [{ content: promptContent(outcome), resolved: true }], {
        action: "prompt",
        text,
      });
    },
  };
}
