// A tool: a name, a schema that is both shown to the model and used to validate its arguments,
// and a function. A tool fails by throwing; the message goes to the model, so it names a remedy.
import { explain, type ResultContent, type ResultDetails } from "@patchbay/protocol";
import type { WriteFence } from "@patchbay/sandbox";
import * as z from "zod/mini";
import type { Confinement } from "../jail/jail.ts";
import type { ToolDeclaration } from "../models/adapters/adapter.ts";

export interface ToolContext {
  readonly cwd: string;
  readonly shellEnv: Readonly<Record<string, string>>;
  /** Where output that is too long to show is kept. */
  readonly outputs: string;
  /** What confines it; null: nothing does. */
  readonly jail: Confinement | null;
  /** What this call may write; unless given, what the jail lets it. Null: anything. */
  readonly edits?: WriteFence | null;
  readonly signal: AbortSignal;
  /** Shows output while the tool runs; await what it returns before reading more. */
  progress(text: string): Promise<void> | undefined;
}

export interface ToolOutcome {
  readonly content: ResultContent[];
  readonly isError: boolean;
  /** For the page, never for the model. */
  readonly details?: ResultDetails;
}

/**
 * The effect of a tool. reads: changes nothing, so it may run in parallel and needs no approval.
 * edits: changes files that it names. Absent: any effect.
 */
export type ToolEffect = "reads" | "edits";

/** What a person is shown who has to allow a call. */
export interface ToolPreview {
  readonly title: string;
  readonly message?: string;
  readonly diff?: string;
}

export interface Tool extends ToolDeclaration {
  readonly effect?: ToolEffect;
  /** It runs commands: the sandbox is what confines them. */
  readonly runsCommands?: boolean;
  /** The files it would change, where it names them: absolute paths, links not resolved. */
  changes?(args: unknown, context: ToolContext): string[];
  /** What the call would do. Rejects with a sentence for the model when it would fail anyway. */
  preview?(args: unknown, context: ToolContext): Promise<ToolPreview>;
  run(args: unknown, context: ToolContext): Promise<ToolOutcome>;
}

export const succeeded = (text: string): ToolOutcome => ({
  content: [{ type: "text", text }],
  isError: false,
});
export const failed = (text: string): ToolOutcome => ({ content: [{ type: "text", text }], isError: true });

export function defineTool<T extends z.ZodMiniObject>(definition: {
  name: string;
  description: string;
  effect?: ToolEffect;
  runsCommands?: boolean;
  args: T;
  changes?(args: z.infer<T>, context: ToolContext): string[];
  preview?(args: z.infer<T>, context: ToolContext): Promise<ToolPreview>;
  run(args: z.infer<T>, context: ToolContext): Promise<ToolOutcome>;
}): Tool {
  const { name, description, effect, runsCommands, args, changes, preview } = definition;
  const { $schema: _dialect, ...parameters } = z.toJSONSchema(args, { io: "input" });
  const read = (given: unknown): z.infer<T> => {
    const reading = args.safeParse(given);
    if (!reading.success) throw new Error(`bad arguments for ${name}: ${explain(reading.error)}`);
    return reading.data;
  };
  return {
    name,
    description,
    ...(effect === undefined ? {} : { effect }),
    ...(runsCommands === undefined ? {} : { runsCommands }),
    ...(changes === undefined
      ? {}
      : { changes: (given: unknown, context: ToolContext) => changes(read(given), context) }),
    ...(preview === undefined
      ? {}
      : { preview: async (given: unknown, context: ToolContext) => preview(read(given), context) }),
    parameters,
    run: async (given, context) => definition.run(read(given), context),
  };
}
