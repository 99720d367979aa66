// What an agent reports about its session besides its answers: commands, modes, models and costs. Costs are reported as a sum
// over the session. Each call is charged with the difference to what was charged before, also by an earlier process.
import type { SlashCommandInfo } from "@patchbay/protocol";
import * as z from "zod/mini";
import type { OutputFrame } from "../../frame-writer.ts";
import { type AgentModels, readModels, updateModels } from "../wire/models.ts";
import type { SessionUpdate } from "../wire/rpc-client.ts";

const Modes = z.looseObject({
  currentModeId: z.string(),
  availableModes: z.array(z.looseObject({ id: z.string(), name: z.string() })),
});
const Command = z.looseObject({
  name: z.string(),
  description: z.catch(z.string(), ""),
  input: z.nullish(z.looseObject({ hint: z.optional(z.string()) })),
});
const UsageUpdate = z.looseObject({
  used: z.number(),
  cost: z.nullish(z.looseObject({ amount: z.number(), currency: z.string() })),
});
/** The response to `session/new`, `load` and `resume`. */
const OpenResponse = z.looseObject({ modes: z.nullish(Modes) });

/** Our name for the model of an agent that does not report it. */
export const unknownModel = "default";

export class AgentSession {
  readonly id: string;
  readonly #provider: string;
  #commands: z.infer<typeof Command>[] = [];
  #modes: z.infer<typeof Modes> | null = null;
  #models: AgentModels | undefined;
  /** Tokens in the context. */
  #used: number | undefined;
  /** The agent's sum in dollars. */
  #spent: number | undefined;
  #charged = 0;
  /** The charged sum that is saved for the next process. Undefined: not known. */
  #savedSpent: number | undefined = 0;
  /** `#charged` comes from an earlier process, and the agent's sum may start from 0 again in this one. */
  #mayRestartCount = false;
  /** The agent has reported usage that is not charged yet. */
  #hasUncharged = false;
  /** A usage frame of the current turn was written. */
  #isTurnCharged = false;

  constructor(id: string, provider: string, opened: unknown) {
    this.id = id;
    this.#provider = provider;
    this.#modes = OpenResponse.safeParse(opened).data?.modes ?? null;
    this.#models = readModels(opened);
  }

  /** Returns the frames for viewers. */
  apply(update: SessionUpdate): OutputFrame[] {
    switch (update.sessionUpdate) {
      case "available_commands_update":
        this.#commands = listOf(update["availableCommands"], Command);
        return [{ type: "commands_changed" }];
      case "current_mode_update":
        if (this.#modes !== null && typeof update["currentModeId"] === "string")
          this.#modes = { ...this.#modes, currentModeId: update["currentModeId"] };
        return this.modeStatus();
      case "config_option_update":
        return this.setModels(updateModels(this.#models, update));
      case "usage_update": {
        const { data } = UsageUpdate.safeParse(update);
        this.#used = data?.used ?? this.#used;
        if (data?.cost?.currency === "USD") this.#spent = data.cost.amount;
        this.#hasUncharged = data !== undefined;
        return [];
      }
      default:
        return [];
    }
  }

  /** The mode as a status beside the composer, where there are modes. */
  modeStatus(): OutputFrame[] {
    const mode = this.#modes?.availableModes.find(({ id }) => id === this.#modes?.currentModeId);
    if (mode === undefined) return [];
    const status = { method: "setStatus", statusKey: "mode", statusText: `Mode: ${mode.name}` };
    return [{ type: "extension_ui_request", id: "acp-mode", ...status }];
  }

  get commands(): SlashCommandInfo[] {
    const own = this.#commands.map(({ name, description, input }) => ({
      name,
      description,
      source: "agent",
      ...(input?.hint === undefined ? {} : { hint: input.hint }),
    }));
    const modes = this.#modes?.availableModes ?? [];
    if (modes.length === 0) return own;
    const hint = modes.map(({ id }) => id).join(" | ");
    return [...own, { name: "mode", description: "How the agent works", source: "patchbay", hint }];
  }

  /** ACP has no method to compact. Agents that can do it have a slash command with one of these names. */
  get compactCommand(): string | undefined {
    return this.#commands.find(({ name }) => ["compact", "compress", "summarize"].includes(name))?.name;
  }

  /** Finds a mode by its id or name. */
  mode(wanted: string): string | null {
    const lower = wanted.trim().toLowerCase();
    const found = this.#modes?.availableModes.find(
      ({ id, name }) => id.toLowerCase() === lower || name.toLowerCase() === lower,
    );
    return found?.id ?? null;
  }

  get modeNames(): string[] {
    return this.#modes?.availableModes.map(({ id }) => id) ?? [];
  }

  get models(): AgentModels | undefined {
    return this.#models;
  }

  get model(): string | undefined {
    return this.#models?.current;
  }

  /** Returns a frame for viewers if the current model has changed. */
  setModels(models: AgentModels | undefined): OutputFrame[] {
    const before = this.model;
    this.#models = models;
    return this.model === before ? [] : [this.settings()];
  }

  /** Always all settings: the newest frame replaces the earlier ones. */
  settings(): OutputFrame {
    const spent = this.#savedSpent === undefined ? {} : { agent_spent_usd: this.#savedSpent };
    const model = this.model ?? unknownModel;
    return { type: "settings", provider: this.#provider, model, agent_session: this.id, ...spent };
  }

  /** Charges the increase of the agent's sum. Empty if the agent reports no costs or the sum has not grown. */
  newCost(purpose?: "compaction"): OutputFrame[] {
    const spent = this.#spent;
    if (spent === undefined || !this.#hasUncharged) return [];
    if (this.#mayRestartCount && spent < this.#charged) this.#charged = 0;
    this.#mayRestartCount = false;
    const nanos = Math.round(spent * 1e9) - Math.round(this.#charged * 1e9);
    if (nanos <= 0) return [];
    this.#hasUncharged = false;
    this.#charged = spent;
    this.#savedSpent = spent;
    return [this.#usageFrame({ cost_usd: nanos / 1e9 }, purpose), this.settings()];
  }

  /** Charges what is left at the end of a turn or compaction. Unpriced if the agent reports no costs. */
  usage(purpose?: "compaction"): OutputFrame[] {
    const costs = this.newCost(purpose);
    if (costs.length > 0 || this.#spent !== undefined || !this.#hasUncharged) return costs;
    this.#hasUncharged = false;
    return [this.#usageFrame({ cost_usd: 0, unpriced: 1 }, purpose)];
  }

  turnStarts(): void {
    this.#isTurnCharged = false;
  }

  /**
   * Charges what is left at the end of a turn. Its calls are unpriced if the agent reports neither costs nor usage: that there were
   * some is known when it answered.
   */
  turnUsage(isAnswered: boolean): OutputFrame[] {
    const frames = this.usage();
    if (frames.length > 0 || this.#isTurnCharged || this.#spent !== undefined || !isAnswered) return frames;
    return [this.#usageFrame({ cost_usd: 0, unpriced: 1 }, "calls")];
  }

  /** Agents report no tokens of a call, so the size of the context stands for its input. */
  #usageFrame(cost: { cost_usd: number; unpriced?: number }, purpose: string | undefined): OutputFrame {
    this.#isTurnCharged = true;
    const tokens = { input: this.#used ?? 0, output: 0, cache_read: 0, cache_write: 0 };
    const labelled = purpose === undefined ? {} : { purpose };
    return { type: "usage", ...tokens, ...cost, ...labelled, incomplete: true };
  }

  /**
   * Takes over the state of a resumed session. `loading` has received the updates that came while the agent loaded it;
   * `charged` is what earlier processes charged. The agent's sum includes that, so only the rest is charged here.
   */
  adoptFrom(loading: AgentSession, charged: number | undefined): void {
    this.#commands = loading.#commands;
    this.#models ??= loading.#models;
    this.#savedSpent = charged;
    this.#used = loading.#used;
    this.#spent = loading.#spent;
    this.#charged = Math.min(charged ?? loading.#spent ?? 0, loading.#spent ?? Number.POSITIVE_INFINITY);
    this.#mayRestartCount = loading.#spent === undefined;
    this.#hasUncharged = loading.#spent !== undefined && loading.#spent > this.#charged;
  }
}

function listOf<T>(value: unknown, schema: z.ZodMiniType<T>): T[] {
  return Array.isArray(value) ? value.flatMap((item: unknown) => schema.safeParse(item).data ?? []) : [];
}
