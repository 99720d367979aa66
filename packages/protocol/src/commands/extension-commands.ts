// Commands about slash commands, extensions and their panels, which zot knows only in its terminal.
// A panel is named by its id; `extension` is needed only where two extensions use the same one.
import * as z from "zod/mini";
import { CommandId } from "../lines/bounds.ts";

const command = <T extends string>(type: T) => z.object({ id: z.optional(CommandId), type: z.literal(type) });

export const RunCommandCommand = z.extend(command("run_command"), {
  /** Without the slash. */
  name: z.string().check(z.minLength(1)),
  args: z.optional(z.string()),
  /** False: a prompt that comes of it is only in the response, and the sender submits it. The server does so. */
  start: z.optional(z.boolean()),
});
export type RunCommandCommand = z.infer<typeof RunCommandCommand>;

export const PanelKeyCommand = z.extend(command("panel_key"), {
  panel: z.string(),
  extension: z.optional(z.string()),
  /** One of `panelKeys`; `rune` carries what was typed in `text`. */
  key: z.string().check(z.minLength(1)),
  text: z.optional(z.string()),
});

export const PanelCloseCommand = z.extend(command("panel_close"), {
  panel: z.string(),
  extension: z.optional(z.string()),
});

/** `start`: of a stopped session too, whose worker is started for it. */
const GetCommandsCommand = z.extend(command("get_commands"), { start: z.optional(z.boolean()) });

export const extensionCommands = [
  GetCommandsCommand,
  RunCommandCommand,
  command("reload_extensions"),
  PanelKeyCommand,
  PanelCloseCommand,
] as const;

/** zot's names for keys. Esc is none of them: it closes the panel. */
export const panelKeys = [
  "up",
  "down",
  "left",
  "right",
  "enter",
  "tab",
  "backspace",
  "delete",
  "home",
  "end",
  "pageup",
  "pagedown",
  "rune",
  "unknown",
] as const;

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
