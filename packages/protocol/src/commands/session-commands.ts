// Commands about the session as a whole: its branches, a person's own commands, its name and its files.
// Their names and answers are omp's; `get_branches` and `switch_branch` are ours, because omp cannot go back.
import * as z from "zod/mini";
import { CommandId } from "../lines/bounds.ts";

const id = z.optional(CommandId);
const command = <T extends string>(type: T) => z.object({ id, type: z.literal(type) });

/** As long as any name a person would read in a list. */
export const longestName = 200;

export const BashCommand = z.extend(command("bash"), { command: z.string() });
export const NewSessionCommand = z.extend(command("new_session"), { parentSession: z.optional(z.string()) });
export const SwitchSessionCommand = z.extend(command("switch_session"), { sessionPath: z.string() });
/** Back to before this prompt; both ways on are kept. */
export const BranchCommand = z.extend(command("branch"), { entryId: z.string() });
export const SwitchBranchCommand = z.extend(command("switch_branch"), { branch: z.string() });
export const SetSessionNameCommand = z.extend(command("set_session_name"), { name: z.string() });
export const ExportHtmlCommand = z.extend(command("export_html"), { outputPath: z.optional(z.string()) });

export const sessionCommands = [
  BashCommand,
  command("abort_bash"),
  NewSessionCommand,
  SwitchSessionCommand,
  BranchCommand,
  command("get_branch_messages"),
  command("get_branches"),
  SwitchBranchCommand,
  command("get_session_stats"),
  command("get_last_assistant_text"),
  SetSessionNameCommand,
  ExportHtmlCommand,
] as const;
