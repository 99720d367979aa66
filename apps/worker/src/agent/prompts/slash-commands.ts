// Slash commands: what there is, what a prompt that begins with one means, and running it.
// As in zot, words after a slash that no source knows are a prompt like any other.
import { type ContentBlock, messageText, type SlashCommandInfo } from "@patchbay/protocol";
import type { CommandOutcome, CommandSource } from "../../features/contributions.ts";
import type { Agent } from "../agent.ts";

/** Lets the sources look at their files again; before commands are listed or run. */
export async function refreshCommands({ commandSources }: Agent): Promise<void> {
  await Promise.all(commandSources.flatMap((source) => source.refresh?.() ?? []));
}

/** The first source that has a name wins. */
export function commandsOf({ commandSources }: Agent): SlashCommandInfo[] {
  const known = new Map<string, SlashCommandInfo>();
  for (const { name, description, source, hint } of commandSources.flatMap((origin) => origin.commands())) {
    if (!known.has(name))
      known.set(name, { name, description, source, ...(hint === undefined ? {} : { hint }) });
  }
  return [...known.values()];
}

const ownerOf = ({ commandSources }: Agent, name: string): CommandSource | undefined =>
  commandSources.find((source) => source.commands().some((command) => command.name === name));

export async function runCommand(
  agent: Agent,
  name: string,
  args: string,
  signal: AbortSignal,
): Promise<CommandOutcome> {
  const owner = ownerOf(agent, name);
  if (owner === undefined) {
    const names = commandsOf(agent).map((command) => `/${command.name}`);
    throw new Error(`there is no command /${name}; available: ${names.join(", ") || "none"}`);
  }
  return owner.run(name, args.trim(), signal);
}

/** The content of a prompt that a command made. */
export const promptOf = ({
  text,
  attached,
}: Extract<CommandOutcome, { action: "prompt" }>): ContentBlock[] => [
  { type: "text", text },
  ...(attached ?? []),
];

const slash = /^\/([\w:.-]+)(?:\s+([\s\S]*))?$/;

/** It may be a command, and must begin a turn of its own. */
export const isSlashed = ({ content }: { content: ContentBlock[] }): boolean =>
  slash.test(messageText({ content }).trim());

/** What a prompt comes to: its own content, what its command made of it, or null when all is done. */
export async function resolveSlash(
  agent: Agent,
  content: ContentBlock[],
  signal: AbortSignal,
): Promise<ContentBlock[] | null> {
  const [, name, args = ""] = slash.exec(messageText({ content }).trim()) ?? [];
  if (name === undefined) return content;
  await refreshCommands(agent);
  if (ownerOf(agent, name) === undefined) return content;
  const began = performance.now();
  try {
    const outcome = await runCommand(agent, name, args, signal);
    if (outcome.action === "prompt" && !signal.aborted) {
      return [...promptOf(outcome), ...content.filter(({ type }) => type === "image")];
    }
  } catch (error) {
    if (!signal.aborted) {
      agent.output.write({ type: "error", message: error instanceof Error ? error.message : String(error) });
    }
  }
  agent.output.write({ type: "done", duration_ms: Math.round(performance.now() - began) });
  return null;
}
