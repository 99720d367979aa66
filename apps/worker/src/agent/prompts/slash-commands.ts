// The slash commands of all features: what there is, what a prompt that begins with one means, and running it.
// As in zot, text after a slash that no feature knows is a prompt like any other.
import { type ContentBlock, messageText, type SlashCommandInfo } from "@patchbay/protocol";
import type { CommandOutcome, CommandSource } from "../../features/slash-command.ts";
import type { WorkerOutput } from "../../output/worker-output.ts";

const pattern = /^\/([\w:.-]+)(?:\s+([\s\S]*))?$/;

export class SlashCommands {
  readonly #sources: readonly CommandSource[];
  readonly #output: WorkerOutput;

  constructor(sources: readonly CommandSource[], output: WorkerOutput) {
    this.#sources = sources;
    this.#output = output;
  }

  /** Lets the sources read their files again; before commands are listed or run. */
  async refresh(): Promise<void> {
    await Promise.all(this.#sources.flatMap((source) => source.refresh?.() ?? []));
  }

  /** The first source that has a name wins. */
  list(): SlashCommandInfo[] {
    const known = new Map<string, SlashCommandInfo>();
    for (const { name, description, source, hint } of this.#sources.flatMap((origin) => origin.commands())) {
      if (!known.has(name))
        known.set(name, { name, description, source, ...(hint === undefined ? {} : { hint }) });
    }
    return [...known.values()];
  }

  async run(name: string, args: string, signal: AbortSignal): Promise<CommandOutcome> {
    const source = this.#sourceOf(name);
    if (source === undefined) {
      const names = this.list().map((command) => `/${command.name}`);
      throw new Error(`there is no command /${name}; available: ${names.join(", ") || "none"}`);
    }
    return source.run(name, args.trim(), signal);
  }

  /** The content of a prompt's turn: its own, or what its command made of it; null when the command was all of it. */
  async resolve(content: ContentBlock[], signal: AbortSignal): Promise<ContentBlock[] | null> {
    const [, name, args = ""] = pattern.exec(messageText({ content }).trim()) ?? [];
    if (name === undefined) return content;
    await this.refresh();
    if (this.#sourceOf(name) === undefined) return content;
    const began = performance.now();
    try {
      const outcome = await this.run(name, args, signal);
      if (outcome.action === "prompt" && !signal.aborted) {
        return [...promptContent(outcome), ...content.filter(({ type }) => type === "image")];
      }
    } catch (error) {
      if (!signal.aborted) {
        this.#output.write({
          type: "error",
          message: error instanceof Error ? error.message : String(error),
        });
      }
    }
    this.#output.write({ type: "done", duration_ms: Math.round(performance.now() - began) });
    return null;
  }

  #sourceOf(name: string): CommandSource | undefined {
    return this.#sources.find((source) => source.commands().some((command) => command.name === name));
  }
}

/** The content of a prompt that a command made. */
export const promptContent = ({
  text,
  attached,
}: Extract<CommandOutcome, { action: "prompt" }>): ContentBlock[] => [
  { type: "text", text },
  ...(attached ?? []),
];

/** It may be a slash command, and must begin a turn of its own. */
export const mayBeSlashCommand = ({ content }: { content: ContentBlock[] }): boolean =>
  pattern.test(messageText({ content }).trim());
