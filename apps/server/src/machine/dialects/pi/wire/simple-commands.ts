// Commands that are one request to the program: converts the command to the request, and its response to ours. A command that
// the program lacks is refused with a sentence, and so are values that it would accept unchecked (invalid levels, missing files).
import { existsSync } from "node:fs";
import { type BashEndEvent, type ModelInfo, type SlashCommandInfo, thinkingLevels } from "@patchbay/protocol";
import * as z from "zod/mini";
import type { WorkerBound } from "../../dialect.ts";
import type { Program } from "./programs.ts";
import { BashResult, Commands, Cycled, Models, type PiModel, type PiState } from "./schemas.ts";

export interface SimpleCommand {
  request: WorkerBound;
  read?: (data: unknown) => unknown;
  /** The response is read from the state after it instead. */
  readState?: (state: PiState) => unknown;
  /** What it changes: the settings; the messages, which are emptied (the server emits that itself); or the whole conversation. */
  changes?: "settings" | "emptied" | "conversation";
}

type BashEnd = Pick<BashEndEvent, "output" | "exit_code" | "cancelled" | "truncated" | "full_output_path">;

const levels: readonly string[] = thinkingLevels;
const queueModes = ["all", "one-at-a-time"];
const Text = z.string().check(z.minLength(1));

export function toSimpleCommand(command: WorkerBound, program: Program): SimpleCommand | string {
  const name = program.commandNames[command.type] ?? command.type;
  const plain = (fields: object = {}): WorkerBound => ({ type: name, ...fields });
  const given = (field: string): string => Text.safeParse(command[field]).data ?? "";
  switch (command.type) {
    case "clear":
      return { request: { type: "new_session" }, changes: "emptied" };
    case "new_session":
      return { request: plain(), changes: "conversation" };
    case "switch_session":
      if (!existsSync(given("sessionPath"))) return `No session file at ${given("sessionPath")}.`;
      return { request: plain({ sessionPath: given("sessionPath") }), changes: "conversation" };
    case "get_models":
    case "get_available_models":
      return { request: plain({ type: "get_available_models" }), read: toModels };
    case "cycle_model":
      return { request: plain(), read: toCycledModel, changes: "settings" };
    case "set_thinking_level":
      if (!levels.includes(given("level"))) return `The level must be one of ${levels.join(", ")}.`;
      // Neither program responds with the level, which is the nearest that the model has.
      return {
        request: plain({ level: given("level") }),
        readState: ({ thinkingLevel }) => ({ level: thinkingLevel ?? given("level") }),
        changes: "settings",
      };
    case "set_steering_mode":
    case "set_follow_up_mode":
      if (!queueModes.includes(given("mode"))) return `The mode must be one of ${queueModes.join(", ")}.`;
      return { request: plain({ mode: given("mode") }), changes: "settings" };
    case "set_interrupt_mode":
      if (!["immediate", "wait"].includes(given("mode"))) return "The mode must be immediate or wait.";
      return { request: plain({ mode: given("mode") }), changes: "settings" };
    case "set_auto_compaction":
    case "set_auto_retry":
      if (typeof command["enabled"] !== "boolean") return "enabled must be true or false.";
      return { request: plain({ enabled: command["enabled"] }), changes: "settings" };
    case "set_session_name":
      if (given("name").trim() === "") return "The session name cannot be empty.";
      return { request: plain({ name: given("name").trim() }) };
    case "export_html":
      return { request: plain(given("outputPath") === "" ? {} : { outputPath: given("outputPath") }) };
    case "get_commands":
      return { request: plain(), read: toCommands };
    case "cycle_thinking_level":
      return { request: plain(), read: (data) => data ?? null, changes: "settings" };
    case "abort_retry":
    case "abort_bash":
    case "get_session_stats":
    case "get_branch_messages":
    case "get_last_assistant_text":
      return { request: plain() };
    default:
      return `${program.name} has no command ${command.type}.`;
  }
}

export const isUnsupported = (program: Program, type: string): boolean => program.commandNames[type] === null;

function toModels(data: unknown): { models: ModelInfo[] } {
  const models = Models.safeParse(data).data?.models ?? [];
  return { models: models.map(modelInfo) };
}

const modelInfo = ({ id, provider, contextWindow, maxTokens, reasoning }: PiModel): ModelInfo => ({
  id,
  provider,
  context_window: contextWindow,
  max_output: maxTokens,
  reasoning,
});

/** Null: there is only one model. */
function toCycledModel(data: unknown): object | null {
  const cycled = Cycled.safeParse(data).data;
  return cycled === undefined ? null : { ...cycled, model: modelInfo(cycled.model) };
}

/** Some hundred skills and prompts are usual; a longer menu is of no use. */
const maxCommands = 1_000;

function toCommands(data: unknown): { commands: SlashCommandInfo[] } {
  const commands = Commands.safeParse(data).data?.commands ?? [];
  return {
    commands: commands.slice(0, maxCommands).map(({ name, description, source, input }) => ({
      name,
      description,
      source: source ?? "agent",
      ...(input?.hint === undefined ? {} : { hint: input.hint }),
    })),
  };
}

export function toBashEnd(data: unknown): BashEnd {
  const { output, exitCode, cancelled, truncated, fullOutputPath } = BashResult.parse(Object(data));
  return {
    output,
    exit_code: exitCode ?? null,
    cancelled,
    truncated,
    ...(fullOutputPath === undefined ? {} : { full_output_path: fullOutputPath }),
  };
}
