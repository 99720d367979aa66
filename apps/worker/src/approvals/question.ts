// What a person is shown before a tool runs: its name, its arguments, and for a change of files what would
// change. Bounded, because an open question is part of every session update.
import type { ToolCallBlock } from "@patchbay/protocol";
import type { Tool, ToolContext } from "../tools/tool.ts";

/** A person who decides reads some pages, not a file; the transcript has all of it. */
const maxDiffChars = 64 * 1024;
const maxTextChars = 4 * 1024;

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
    const diff = preview?.diff === undefined ? {} : { diff: cut(preview.diff, maxDiffChars) };
    const fields = {
      title: preview?.title ?? `Use ${tool.name}?`,
      ...(preview?.message === undefined ? {} : { message: cut(preview.message, maxTextChars) }),
      tool: tool.name,
      call_id: call.id,
      args: shortened(call.args, 0),
      ...diff,
      ...(why === undefined ? {} : { why: cut(why, maxTextChars) }),
    };
    return { fields };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

const cut = (text: string, limit: number): string =>
  text.length <= limit ? text : `${text.slice(0, limit)}\n… [${text.length - limit} more characters]`;

/** Arguments are written by a model and may be of any size and depth. */
const maxItems = 50;
const maxDepth = 4;

function shortened(value: unknown, depth: number): unknown {
  if (typeof value === "string") return cut(value, maxTextChars);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= maxDepth) return "…";
  if (Array.isArray(value)) return value.slice(0, maxItems).map((item) => shortened(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, maxItems)
      .map(([name, item]) => [name, shortened(item, depth + 1)]),
  );
}
