// What a person is shown before a tool runs: its name, its arguments, and for a change of files what would
// change, all of it: nobody can allow what they were not shown. A call that is too large to be shown is refused.
import type { ToolCallBlock } from "@patchbay/protocol";
import * as z from "zod/mini";
import type { Tool, ToolContext } from "../tools/tool.ts";

/** Some thousand lines. An open question is part of every session update, and the server holds 1 MiB of them. */
const maxChars = 256 * 1024;

type Question =
  | { readonly fields: Readonly<Record<string, unknown>> }
  /** The call would fail anyway: the person is not asked. */
  | { readonly problem: string };

export async function questionAbout(
  call: ToolCallBlock,
  tool: Tool,
  context: ToolContext,
  /** Why they are asked in any case. */
  why?: string,
): Promise<Question> {
  try {
    const preview = await tool.preview?.(call.args, context);
    const fields = {
      title: preview?.title ?? `Use ${tool.name}?`,
      ...(preview?.message === undefined ? {} : { message: cut(preview.message) }),
      tool: tool.name,
      call_id: call.id,
      // A diff shows what the arguments of an edit do.
      ...(preview?.diff === undefined
        ? { args: call.args }
        : { args: pathOf(call.args), diff: preview.diff }),
      ...(why === undefined ? {} : { why }),
    };
    const size = JSON.stringify(fields).length;
    if (size > maxChars) return { problem: tooLarge(size) };
    return { fields };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** For programs that show a line of text; pages show the arguments. */
const maxMessageChars = 1_000;

const cut = (text: string): string =>
  text.length <= maxMessageChars ? text : `${text.slice(0, maxMessageChars)}…`;

const tooLarge = (size: number): string =>
  `This call needs the user's approval and is too large to be shown (${size} characters, at most ${maxChars}). Split it into smaller ones.`;

const WithPath = z.object({ path: z.string() });

const pathOf = (args: unknown): unknown => WithPath.safeParse(args).data ?? {};
