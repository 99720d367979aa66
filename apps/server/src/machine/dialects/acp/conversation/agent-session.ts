// What an agent reports about its session besides its answers: commands, modes, models and costs. Costs are reported as a sum
// over the session. A turn is charged with the difference to what was charged before, also by an earlier process; its tokens
// come with its end.
import { maxAgentModes, type SlashCommandInfo, type TokenBounds, type TokenCounts } from "@patchbay/protocol";
import * as z from "zod/mini";
import type { AgentTraits } from "../../dialect.ts";
import type { OutputFrame } from "../../frame-writer.ts";
import { readModels, updateModels } from "../wire/models.ts";
import { type AgentChoice, hasOptions, readChoice } from "../wire/options.ts";
import type { SessionUpdate } from "../wire/rpc-client.ts";
import { isUsed, type ModelFigures, sumOfModels } from "../wire/turn-figures.ts";
import { currentLevel, levelsOf } from "./thinking-levels.ts";

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

/** A prompt to the agent, or a compaction, that is over. */
interface EndedPrompt {
  /** Undefined: the agent has reported no tokens. */
  figures: readonly ModelFigures[] | undefined;
  /** The agent's own command may run without a model: its text is no answer. */
  isCommand: boolean;
  /** A model has answered, as far as the updates show. */
  isAnswered: boolean;
  /** The model calls, as far as the updates show; a call may have been repeated. Of a stopped prompt: until the stop. */
  calls: number;
  /** A person has stopped it: what its last call used may be in no figures. */
  isStopped: boolean;
  purpose?: "compaction" | undefined;
}

interface CallsFigures extends ModelFigures {
  calls: number;
  /** They are those of all the calls. */
  isWhole: boolean;
}

interface Cost {
  cost_usd: number;
  unpriced?: number;
}

/** What a Gemini model writes at most in one answer: only gemini-cli leaves the thoughts out. */
const mostOutput = 65_536;

/** Our name for the model of an agent that does not report it. */
export const unknownModel = "default";

export class AgentSession {
  readonly id: string;
  readonly #provider: string;
  #commands: z.infer<typeof Command>[] = [];
  #modes: AgentChoice | undefined;
  #models: AgentChoice | undefined;
  #effort: AgentChoice | undefined;
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
  readonly #traits: AgentTraits;
  /** A usage frame of the current turn was written. */
  #isTurnCharged = false;
  /** The tokens that these frames have. */
  #bookedInput = 0;
  /** The calls of the current turn that had shown something when it was charged last. */
  #chargedCalls = 0;

  constructor(id: string, provider: string, opened: unknown, traits: AgentTraits = {}) {
    this.id = id;
    this.#provider = provider;
    this.#traits = traits;
    this.#modes = readModes(opened);
    this.#models = readModels(opened);
    this.#effort = readChoice(opened, "thought_level");
  }

  /** Returns the frames for viewers. */
  apply(update: SessionUpdate): OutputFrame[] {
    switch (update.sessionUpdate) {
      case "available_commands_update":
        this.#commands = listOf(update["availableCommands"], Command);
        return [{ type: "commands_changed" }];
      case "current_mode_update":
        return typeof update["currentModeId"] === "string" ? this.setMode(update["currentModeId"]) : [];
      case "config_option_update":
        return this.setOptions(update);
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

  /** Takes over the options that the agent reports. Returns the frames for viewers. */
  setOptions(source: unknown): OutputFrame[] {
    if (!hasOptions(source)) return [];
    const before = JSON.stringify([this.#models, this.#effort, this.#modes]);
    this.#models = updateModels(this.#models, source);
    this.#effort = readChoice(source, "thought_level");
    if (this.#modes === undefined || this.#modes.optionId !== undefined)
      this.#modes = readChoice(source, "mode");
    const now = JSON.stringify([this.#models, this.#effort, this.#modes]);
    return now === before ? [] : [this.settings()];
  }

  /** The model that the agent has no option for. */
  setModel(current: string): OutputFrame[] {
    if (this.#models === undefined || this.#models.current === current) return [];
    this.#models = { ...this.#models, current };
    return [this.settings()];
  }

  setMode(current: string): OutputFrame[] {
    if (this.#modes === undefined || this.#modes.current === current) return [];
    this.#modes = { ...this.#modes, current };
    return [this.settings()];
  }

  get commands(): SlashCommandInfo[] {
    const own = this.#commands.map(({ name, description, input }) => ({
      name,
      description,
      source: "agent",
      ...(input?.hint === undefined ? {} : { hint: input.hint }),
    }));
    const modes = this.#modes?.offered ?? [];
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
    const found = this.#modes?.offered.find(
      ({ id, name }) => id.toLowerCase() === lower || name.toLowerCase() === lower,
    );
    return found?.id ?? null;
  }

  get modes(): AgentChoice | undefined {
    return this.#modes;
  }

  get models(): AgentChoice | undefined {
    return this.#models;
  }

  get effort(): AgentChoice | undefined {
    return this.#effort;
  }

  get model(): string | undefined {
    return this.#models?.current;
  }

  /** Always all settings: the newest frame replaces the earlier ones. */
  settings(): OutputFrame {
    const spent = this.#savedSpent === undefined ? {} : { agent_spent_usd: this.#savedSpent };
    const model = this.model ?? unknownModel;
    const levels = levelsOf(this.#effort);
    const modes = (this.#modes?.offered ?? []).slice(0, maxAgentModes);
    return {
      ...{ type: "settings", provider: this.#provider, model, agent_session: this.id, ...spent },
      ...(levels.length === 0 ? {} : { thinking_level: currentLevel(this.#effort), thinking_levels: levels }),
      ...(modes.length === 0 ? {} : { agent_mode: this.#modes?.current, agent_modes: modes }),
    };
  }

  /** Charges what calls that have shown something have cost, while the turn goes on. */
  chargeShown(calls: number, purpose?: "compaction"): OutputFrame[] {
    const costs = this.#newCost(purpose);
    if (costs.length > 0) this.#chargedCalls = calls;
    return costs;
  }

  /** Charges the increase of the agent's sum. Empty if the agent reports no costs or the sum has not grown. */
  #newCost(purpose?: "compaction", figures?: CallsFigures): OutputFrame[] {
    const spent = this.#spent;
    if (spent === undefined || !this.#hasUncharged) return [];
    if (this.#mayRestartCount && spent < this.#charged) this.#charged = 0;
    this.#mayRestartCount = false;
    const nanos = Math.round(spent * 1e9) - Math.round(this.#charged * 1e9);
    if (nanos <= 0) return [];
    this.#hasUncharged = false;
    this.#charged = spent;
    this.#savedSpent = spent;
    const cost = { cost_usd: nanos / 1e9 };
    const frame =
      figures === undefined ? this.#contextFrame(cost, purpose) : this.#frame(figures, cost, purpose);
    return [frame, this.settings()];
  }

  promptStarts(): void {
    this.#isTurnCharged = false;
    this.#bookedInput = 0;
    this.#chargedCalls = 0;
  }

  /**
   * Charges what is left at the end of a prompt: by the agent's sum, else by its tokens. A prompt that was answered, or stopped, is
   * never free of charge by silence: without either, it is one call of unknown price.
   */
  charge({ figures, isCommand, isAnswered, isStopped, calls, purpose }: EndedPrompt): OutputFrame[] {
    const used = figures?.filter(isUsed) ?? [];
    const tokens = { calls, isWhole: calls <= 1 || this.#traits.reportsLastCall !== true };
    const left = used.length === 0 ? undefined : { ...this.#notBooked(sumOfModels(used)), ...tokens };
    const costs = this.#newCost(purpose, left);
    if (costs.length > 0) return costs;
    const isKnown = this.#spent !== undefined && this.#spent > 0; // it reports costs, and these calls had none
    const isCut = isStopped && calls > this.#chargedCalls && (isAnswered || !isCommand);
    if (this.#isTurnCharged || (isKnown && used.length === 0))
      return isCut ? [this.#contextFrame(unknownCost, purpose ?? "calls")] : [];
    const context = this.#hasUncharged;
    this.#hasUncharged = false;
    if (used.length > 0) {
      const rows = purpose === undefined ? used : [sumOfModels(used)];
      return rows.map((row) => this.#frame({ ...row, ...tokens }, unknownCost, purpose));
    }
    if (isCommand && figures !== undefined) return [];
    if (context) return [this.#contextFrame(unknownCost, purpose)];
    return isAnswered || isCut || figures !== undefined
      ? [this.#contextFrame(unknownCost, purpose ?? "calls")]
      : [];
  }

  /** Without the tokens of frames that were written during the turn. */
  #notBooked(figures: ModelFigures): ModelFigures {
    const input = Math.max(0, figures.input - this.#bookedInput);
    const rest = Math.max(0, this.#bookedInput - figures.input);
    return { ...figures, input, cache_read: Math.max(0, figures.cache_read - rest) };
  }

  /** Tokens of all the calls of a prompt: they do not show how full the context is, which the agent reports apart. */
  #frame(
    { model, isPartial, isWhole, calls, thinking, ...tokens }: CallsFigures,
    cost: Cost,
    purpose: string | undefined,
  ): OutputFrame {
    this.#isTurnCharged = true;
    const { provider } = this.#traits;
    return {
      ...{ type: "usage", ...tokens, ...cost, purpose: purpose ?? "calls" },
      ...(thinking > 0 ? { thinking } : {}),
      ...(this.#used === undefined || purpose !== undefined ? {} : { context: this.#used }),
      ...(model === undefined || provider === undefined ? {} : { provider, model }),
      ...(isPartial && cost.unpriced !== undefined ? { bounds: partialBounds(tokens, calls) } : {}),
      ...(isWhole ? {} : { incomplete: true }),
    };
  }

  /** Without tokens of a call, the size of the context stands for its input. */
  #contextFrame(cost: Cost, purpose: string | undefined): OutputFrame {
    this.#isTurnCharged = true;
    const input = this.#used ?? 0;
    this.#bookedInput += input;
    const labelled = purpose === undefined ? {} : { purpose };
    const none = { output: 0, cache_read: 0, cache_write: 0 };
    return { type: "usage", input, ...none, ...cost, ...labelled, incomplete: true };
  }

  /**
   * Takes over the state of a resumed session. `loading` has received the updates that came while the agent loaded it;
   * `charged` is what earlier processes charged. The agent's sum includes that, so only the rest is charged here.
   */
  adoptFrom(loading: AgentSession, charged: number | undefined): void {
    this.#commands = loading.#commands;
    this.#models ??= loading.#models;
    this.#effort ??= loading.#effort;
    this.#modes ??= loading.#modes;
    this.#savedSpent = charged;
    this.#used = loading.#used;
    this.#spent = loading.#spent;
    this.#charged = Math.min(charged ?? loading.#spent ?? 0, loading.#spent ?? Number.POSITIVE_INFINITY);
    this.#mayRestartCount = loading.#spent === undefined;
    this.#hasUncharged = loading.#spent !== undefined && loading.#spent > this.#charged;
  }
}

/** Newer agents report their modes among the options, older ones apart; some do both. */
function readModes(opened: unknown): AgentChoice | undefined {
  const modes = OpenResponse.safeParse(opened).data?.modes;
  if (modes === undefined || modes === null) return readChoice(opened, "mode");
  const offered = modes.availableModes.map(({ id, name }) => ({ id, name }));
  return { current: modes.currentModeId, offered, optionId: undefined };
}

const unknownCost: Cost = { cost_usd: 0, unpriced: 1 };

/** The agent has not counted the thoughts, and not what of the input came from a cache, which is cheaper. */
function partialBounds({ input, output }: TokenCounts, calls: number): TokenBounds {
  return {
    low: { input: 0, output, cache_read: input, cache_write: 0 },
    high: { input, output: output + mostOutput * calls, cache_read: 0, cache_write: 0 },
  };
}

function listOf<T>(value: unknown, schema: z.ZodMiniType<T>): T[] {
  return Array.isArray(value) ? value.flatMap((item: unknown) => schema.safeParse(item).data ?? []) : [];
}
