// Commands about slash commands and extensions, which zot knows only in its terminal.
import * as z from "zod/mini";

const command = <T extends string>(type: T) =>
  z.object({ id: z.optional(z.string()), type: z.literal(type) });

export const RunCommandCommand = z.extend(command("run_command"), {
  /** Without the slash. */
  name: z.string().check(z.minLength(1)),
  args: z.optional(z.string()),
  /** False: a prompt that comes of it is only answered, and whoever asked sends it. The server does so. */
  start: z.optional(z.boolean()),
});
export type RunCommandCommand = z.infer<typeof RunCommandCommand>;

export const extensionCommands = [command("get_commands"), RunCommandCommand] as const;

export const SlashCommandInfo = z.looseObject({
  name: z.string(),
  description: z.string(),
  /** Who brought it: `patchbay`, `prompt`, `skill`, or an extension's name. */
  source: z.string(),
  /** What the arguments look like. */
  hint: z.optional(z.string()),
});
export type SlashCommandInfo = z.infer<typeof SlashCommandInfo>;

export const CommandsData = z.looseObject({ commands: z.array(SlashCommandInfo) });

/** What a slash command led to. `prompt`: its text, started unless `start` was false. */
export const RunCommandData = z.looseObject({
  action: z.enum(["prompt", "insert", "display", "open_panel", "noop"]),
  text: z.optional(z.string()),
});
export type RunCommandData = z.infer<typeof RunCommandData>;
