// Runs turns: waits until the services are open, resolves a slash command, then runs the turn's own code.
// That code is loaded with the first turn, because many workers wait long for their first prompt.
import type { Lifecycle } from "./lifecycle.ts";
import type { Prompt } from "./prompts/prompt.ts";
import type { SlashCommands } from "./prompts/slash-commands.ts";
import type { TurnParts } from "./turn/prompt-turn.ts";

export class TurnRunner {
  readonly #parts: TurnParts;
  readonly #slash: SlashCommands;
  readonly #lifecycle: Lifecycle;

  constructor(parts: TurnParts, slash: SlashCommands, lifecycle: Lifecycle) {
    this.#parts = parts;
    this.#slash = slash;
    this.#lifecycle = lifecycle;
  }

  /** `others` belong to the same turn; only the first prompt can be a slash command. */
  async runPrompts(first: Prompt, others: readonly Prompt[], signal: AbortSignal): Promise<void> {
    await this.#guarded(async () => {
      const content = first.resolved ? first.content : await this.#slash.resolve(first.content, signal);
      if (content === null) return;
      const { runPrompt } = await import("./turn/prompt-turn.ts");
      await runPrompt(this.#parts, [{ ...first, content }, ...others], signal);
    });
  }

  async runCompaction(instructions: string | undefined, signal: AbortSignal): Promise<void> {
    await this.#guarded(async () => {
      const { runCompaction } = await import("./turn/compaction.ts");
      await runCompaction(this.#parts, instructions, signal);
    });
  }

  async #guarded(run: () => Promise<void>): Promise<void> {
    try {
      await this.#lifecycle.open();
      await run();
    } catch (error) {
      // A turn ends itself in every case it foresees. This is the one it did not.
      this.#parts.output.write({ type: "error", message: `internal error: ${String(error)}` });
      this.#parts.output.write({ type: "done" });
    }
  }
}
