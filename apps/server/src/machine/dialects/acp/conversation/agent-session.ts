// What an agent has told of its session besides its answers: commands, modes, models, and what it spent. Costs come as a
// sum over the session; a call of ours costs the difference to what was charged before, also by an earlier process.
import type { SlashCommandInfo } from "@patchbay/protocol";
import * as z from "zod/mini";
import type { OutputFrame } from "../../frame-output.ts";
import { type Models, modelsAfter, modelsIn } from "../wire/models.ts";
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
/** What `session/new`, `load` and `resume` answer. */
const Opened = z.looseObject({ modes: z.nullish(Modes) });

/** Of an agent that does not say which one it uses. */
export const unknownModel = "default";

export class AgentSession {
  readonly id: string;
  readonly #provider: string;
  #commands: z.infer<typeof Command>[] = [];
  #modes: z.infer<typeof Modes> | null = null;
  #models: Models | undefined;
  #used: number | undefined;
  #spent: number | undefined;
  #charged = 0;
  /** What the next process is told of it; undefined: nobody knows. */
  #noted: number | undefined = 0;
  /** What was charged is known from an earlier process; this one may count from nothing. */
  #mayCountAnew = false;
  /** Something was told that no turn has been charged with yet. */
  #hasNews = false;

  constructor(id: string, provider: string, opened: unknown) {
    this.id = id;
    this.#provider = provider;
    this.#modes = Opened.safeParse(opened).data?.modes ?? null;
    this.#models = modelsIn(opened);
  }

  /** Takes in what concerns the session; gives what viewers are to be told. */
  take(update: SessionUpdate): OutputFrame[] {
    switch (update.sessionUpdate) {
      case "available_commands_update":
        this.#commands = listOf(update["availableCommands"], Command);
        return [{ type: "commands_changed" }];
      case "current_mode_update":
        if (this.#modes !== null && typeof update["currentModeId"] === "string")
          this.#modes = { ...this.#modes, currentModeId: update["currentModeId"] };
        return this.modeStatus();
      case "config_option_update":
        return this.setModels(modelsAfter(this.#models, update));
      case "usage_update": {
        const { data } = UsageUpdate.safeParse(update);
        this.#used = data?.used ?? this.#used;
        if (data?.cost?.currency === "USD") this.#spent = data.cost.amount;
        this.#hasNews = data !== undefined;
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

  /** ACP has no call for it; agents that can have a slash command, under one of a few names. */
  get compactCommand(): string | undefined {
    return this.#commands.find(({ name }) => ["compact", "compress", "summarize"].includes(name))?.name;
  }

  /** The mode of that id or name; null when there is none. */
  mode(wanted: string): string | null {
    const word = wanted.trim().toLowerCase();
    const found = this.#modes?.availableModes.find(
      ({ id, name }) => id.toLowerCase() === word || name.toLowerCase() === word,
    );
    return found?.id ?? null;
  }

  get modeNames(): string[] {
    return this.#modes?.availableModes.map(({ id }) => id) ?? [];
  }

  get models(): Models | undefined {
    return this.#models;
  }

  get model(): string | undefined {
    return this.#models?.current;
  }

  /** Gives what viewers are to be told, if it is another model now. */
  setModels(models: Models | undefined): OutputFrame[] {
    const before = this.model;
    this.#models = models;
    return this.model === before ? [] : [this.settings()];
  }

  /** Always the whole of them: the newest frame counts. */
  settings(): OutputFrame {
    const spent = this.#noted === undefined ? {} : { agent_spent_usd: this.#noted };
    const model = this.model ?? unknownModel;
    return { type: "settings", provider: this.#provider, model, agent_session: this.id, ...spent };
  }

  /** What the call that was just told of has cost, where the agent tells costs and it is more than before. */
  newCost(purpose?: "compaction"): OutputFrame[] {
    const spent = this.#spent;
    if (spent === undefined || !this.#hasNews) return [];
    if (this.#mayCountAnew && spent < this.#charged) this.#charged = 0;
    this.#mayCountAnew = false;
    const micros = Math.round(spent * 1e6) - Math.round(this.#charged * 1e6);
    if (micros <= 0) return [];
    this.#hasNews = false;
    this.#charged = spent;
    this.#noted = spent;
    return [this.#usageFrame({ cost_usd: micros / 1e6 }, purpose), this.settings()];
  }

  /** What the turn or compaction that ends now has used and was not charged with yet. */
  usage(purpose?: "compaction"): OutputFrame[] {
    const costs = this.newCost(purpose);
    if (costs.length > 0 || this.#spent !== undefined || !this.#hasNews) return costs;
    this.#hasNews = false;
    return [this.#usageFrame({ cost_usd: 0, unpriced: 1 }, purpose)];
  }

  /** How full the context is stands for the tokens: agents tell no others. */
  #usageFrame(cost: { cost_usd: number; unpriced?: number }, purpose: string | undefined): OutputFrame {
    const tokens = { input: this.#used ?? 0, output: 0, cache_read: 0, cache_write: 0 };
    const why = purpose === undefined ? {} : { purpose };
    return { type: "usage", ...tokens, ...cost, ...why, incomplete: true };
  }

  /**
   * After taking a session up again, with what was `charged` by earlier processes: what the agent tells meanwhile is
   * the sum so far, of which only the rest is still to be charged.
   */
  adoptFrom(told: AgentSession, charged: number | undefined): void {
    this.#commands = told.#commands;
    this.#models ??= told.#models;
    this.#noted = charged;
    this.#used = told.#used;
    this.#spent = told.#spent;
    this.#charged = Math.min(charged ?? told.#spent ?? 0, told.#spent ?? Number.POSITIVE_INFINITY);
    this.#mayCountAnew = told.#spent === undefined;
    this.#hasNews = told.#spent !== undefined && told.#spent > this.#charged;
  }
}

function listOf<T>(value: unknown, schema: z.ZodMiniType<T>): T[] {
  return Array.isArray(value) ? value.flatMap((item: unknown) => schema.safeParse(item).data ?? []) : [];
}
