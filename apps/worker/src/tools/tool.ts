// What a tool is: a name, a schema that is both shown to the model and held against its arguments,
// and a function. A tool fails by throwing; the message goes to the model, so it says what to do.
import { explain, type ResultContent, type ResultDetails } from "@patchbay/protocol";
import * as z from "zod/mini";
import type { ToolDeclaration } from "../models/adapter.ts";

export interface ToolContext {
  readonly cwd: string;
  readonly shellEnv: Readonly<Record<string, string>>;
  /** Where output that is too long to show is kept. */
  readonly outputs: string;
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
 * What a tool does to the world. reads: only looks, so it may run beside others and nobody is asked
 * about it. edits: changes files it names. Not said: anything.
 */
export type ToolEffect = "reads" | "edits";

export interface Tool extends ToolDeclaration {
  readonly effect?: ToolEffect;
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
  args: T;
  run(args: z.infer<T>, context: ToolContext): Promise<ToolOutcome>;
}): Tool {
  const { name, description, effect, args } = definition;
  const { $schema: _dialect, ...parameters } = z.toJSONSchema(args, { io: "input" });
  return {
    name,
    description,
    ...(effect === undefined ? {} : { effect }),
    parameters,
    run: async (given, context) => {
      const read = args.safeParse(given);
      if (!read.success) return failed(`bad arguments for ${name}: ${explain(read.error)}`);
      return definition.run(read.data, context);
    },
  };
}
