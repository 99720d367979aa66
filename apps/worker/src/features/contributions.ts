// The seams of the agent: what its surroundings (extensions, MCP servers, project files, approvals) may
// add to it. The turn knows these shapes only; who stands behind them is decided where the agent is built.
import type { ContentBlock, ToolCallBlock } from "@patchbay/protocol";
import type { WriteFence } from "@patchbay/sandbox";
import type { Answer } from "../models/adapter.ts";
import type { Tool } from "../tools/tool.ts";

/** Tools of one origin. Asked before every model call, so that what was added since takes part. */
export interface ToolSource {
  tools(): readonly Tool[];
}

/** Whether a tool call may run, and with which arguments. The transcript keeps what the model wrote. */
export type Admission =
  | {
      readonly ok: true;
      readonly args: unknown;
      /** What it may write: what was allowed, however links are swapped until then. */
      readonly edits?: WriteFence | null;
    }
  /** The reason goes to the model as the call's result. */
  | { readonly ok: false; readonly reason: string };

/** Asked in order before a tool runs; the first refusal wins, changed arguments go on to the next. */
export interface ToolGate {
  admit(call: ToolCallBlock, tool: Tool, signal: AbortSignal): Promise<Admission>;
}

/** Told what happens in a turn; may end it before a model call, or change the words that are shown. */
export interface TurnListener {
  sessionStarted?(): void;
  /** A string ends the turn with it as the reason. */
  beforeStep?(step: number, signal: AbortSignal): Promise<string | undefined>;
  stepEnded?(step: number, answer: Answer): void;
  toolCalled?(call: ToolCallBlock): void;
  /** The content to show instead, null to show nothing; the model keeps what it wrote. */
  beforeShowing?(content: ContentBlock[], signal: AbortSignal): Promise<ContentBlock[] | null>;
}

/** Words for the system prompt from the session's surroundings; asked when a turn starts. */
export interface PromptSource {
  section(): Promise<string | undefined>;
}

/** Something a person runs with `/name`. */
export interface SlashCommand {
  readonly name: string;
  readonly description: string;
  /** For a person: `patchbay`, `prompt`, `skill`, or the extension's name. */
  readonly source: string;
  /** What the arguments look like, where its author said so. */
  readonly hint?: string;
}

/** What running a slash command leads to. */
export type CommandOutcome =
  /** Becomes a prompt, as if the person had written it; the model also gets what is attached (blocks with `mention`). */
  | { readonly action: "prompt"; readonly text: string; readonly attached?: ContentBlock[] }
  /** Was dealt with; what the person sees of it has been written, and `data` is what the caller is told. */
  | { readonly action: "done"; readonly data?: Readonly<Record<string, unknown>> };

/** Slash commands of one origin; the first source that has a name wins. */
export interface CommandSource {
  /** Awaited before its commands are listed or run, where they lie in files that may have changed. */
  refresh?(): Promise<void>;
  commands(): readonly SlashCommand[];
  /** Rejects with a sentence for a person. */
  run(name: string, args: string, signal: AbortSignal): Promise<CommandOutcome>;
}

/** Anything that lives beside the agent and must be opened with its directory and closed with it. */
export interface Companion {
  /** Once, when the working directory is known; a turn waits for it. Never rejects: it tells the person itself. */
  open(cwd: string): Promise<void>;
  close(): Promise<void>;
}
