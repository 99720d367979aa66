// Slash commands: what a person runs with `/name arguments`, where they come from and what they lead to.
import type { ContentBlock } from "@patchbay/protocol";

export interface SlashCommand {
  readonly name: string;
  readonly description: string;
  /** For a person: `patchbay`, `prompt`, `skill`, or the extension's name. */
  readonly source: string;
  /** What the arguments look like, where its author described them. */
  readonly hint?: string;
}

/** What running a slash command leads to. */
export type CommandOutcome =
  /** A prompt, as if the person had written it; the model also gets what is attached (blocks with `mention`). */
  | { readonly action: "prompt"; readonly text: string; readonly attached?: ContentBlock[] }
  /** It is done: its frames have been written, and `data` is the response to the caller. */
  | { readonly action: "done"; readonly data?: Readonly<Record<string, unknown>> };

/** Slash commands of one origin; the first source that has a name wins. */
export interface CommandSource {
  /** Awaited before its commands are listed or run, where they lie in files that may have changed. */
  refresh?(): Promise<void>;
  commands(): readonly SlashCommand[];
  /** Rejects with a sentence for a person. */
  run(name: string, args: string, signal: AbortSignal): Promise<CommandOutcome>;
}

/** Arguments as a shell splits them: quotes hold one together. A quote that is never closed is a letter. */
export function splitArguments(text: string): string[] {
  const parts = text.matchAll(/(?:"([^"]*)"|'([^']*)'|[^\s"']|["'])+/g);
  return [...parts].map(([part]) => part.replace(/"([^"]*)"|'([^']*)'/g, (_all, a, b) => a ?? b));
}
