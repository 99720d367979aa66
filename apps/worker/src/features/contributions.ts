// What a feature (project context, MCP servers, extensions, approvals) can add to the agent. The turn loop
// knows only these interfaces; create-worker.ts decides which features there are, and in which order they count.
import type { ContentBlock, ToolCallBlock } from "@patchbay/protocol";
import type { WriteFence } from "@patchbay/sandbox";
import type { ModelAnswer } from "../models/adapters/adapter.ts";
import type { Tool } from "../tools/tool.ts";

/** Tools of one origin. Read before every model call, so that tools that were added since take part. */
export interface ToolSource {
  tools(): readonly Tool[];
}

/** Whether a tool call may run, and with which arguments. The transcript keeps what the model wrote. */
export type Admission =
  | {
      readonly ok: true;
      readonly args: unknown;
      /** The only files it may write, even if links are swapped before it runs. */
      readonly edits?: WriteFence | null;
    }
  /** The reason goes to the model as the call's result. */
  | { readonly ok: false; readonly reason: string /** By a person. */; readonly denied?: true };

/** Asked in order before a tool runs; the first refusal wins, changed arguments go on to the next gate. */
export interface ToolGate {
  admit(call: ToolCallBlock, tool: Tool, signal: AbortSignal): Promise<Admission>;
}

/** Receives the events of a turn; may end it before a model call, or change the answer that is shown. */
export interface TurnListener {
  sessionStarted?(): void;
  /** A string ends the turn with it as the reason. */
  beforeStep?(step: number, signal: AbortSignal): Promise<string | undefined>;
  stepEnded?(step: number, answer: ModelAnswer): void;
  toolCalled?(call: ToolCallBlock): void;
  /** The content to show instead, null to show nothing; the model keeps what it wrote. */
  beforeShowing?(content: ContentBlock[], signal: AbortSignal): Promise<ContentBlock[] | null>;
}

/** A section of the system prompt; read when a turn starts. */
export interface PromptSource {
  section(): Promise<string | undefined>;
}

/** Something that runs beside the agent: it is opened when the working directory is known, and closed with the worker. */
export interface Service {
  /** Called once; a turn waits for it. Never rejects: it reports its own failures to the person. */
  open(cwd: string): Promise<void>;
  close(): Promise<void>;
}
