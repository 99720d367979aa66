// Messages of zot's, pi's and omp's session files in our own shape. zot's blocks have no type and are recognised by
// their fields; pi writes one message per tool result, we one per step.
import * as z from "zod/mini";
import type { ContentBlock, Message, ResultContent } from "./message.ts";

const optionalText = z.optional(z.catch(z.optional(z.string()), undefined));

export const ForeignEntry = z.looseObject({
  type: z.literal("message"),
  id: z.optional(z.string()),
  parentId: z.optional(z.nullable(z.string())),
  timestamp: z.optional(z.string()),
  message: z.looseObject({
    role: z.string(),
    content: z.optional(z.union([z.string(), z.array(z.looseObject({}))])),
    time: z.optional(z.string()),
    toolCallId: z.optional(z.string()),
    isError: z.optional(z.boolean()),
    stopReason: optionalText,
    errorMessage: optionalText,
    command: z.optional(z.string()),
    output: z.optional(z.string()),
    exitCode: z.optional(z.nullable(z.number())),
    cancelled: z.optional(z.boolean()),
    truncated: z.optional(z.boolean()),
  }),
});
export type ForeignEntry = z.infer<typeof ForeignEntry>;

/** Null where the entry says nothing of the conversation. */
export function foreignMessage({ message, timestamp }: ForeignEntry): Message | null {
  const time = message.time ?? timestamp ?? "";
  const content = foreignBlocks(message.content ?? []);
  switch (message.role) {
    case "user":
    case "assistant":
    case "tool":
      return content.length === 0 || isMirror(message.role, content)
        ? null
        : { role: message.role, content, time };
    case "toolResult": {
      const call_id = message.toolCallId ?? "";
      const result = { type: "tool_result" as const, call_id, is_error: message.isError ?? false };
      return { role: "tool", content: [{ ...result, content: content.flatMap(toResult) }], time };
    }
    case "bashExecution":
      return { role: "user", content: [{ type: "text", text: commandText(message) }], time };
    default:
      return null; // what a newer version keeps besides its conversation
  }
}

/** zot repeats the pictures of a tool's result as if a person had sent them, for models that look only there. */
const isMirror = (role: string, [first]: readonly ContentBlock[]): boolean =>
  role === "user" &&
  first?.type === "text" &&
  first.text === "Tool output included the following image content:";

const commandText = ({ command, output, exitCode }: ForeignEntry["message"]): string =>
  `I ran this command myself:\n\n$ ${command ?? ""}\n\n${output ?? ""}\n\nIt ended with exit code ${exitCode ?? "unknown"}.`;

const Block = z.looseObject({
  type: z.optional(z.string()),
  text: z.optional(z.string()),
  thinking: z.optional(z.string()),
  summary: z.optional(z.string()),
  mime_type: z.optional(z.string()),
  mimeType: z.optional(z.string()),
  data: z.optional(z.string()),
  id: z.optional(z.string()),
  name: z.optional(z.string()),
  arguments: z.optional(z.unknown()),
  call_id: z.optional(z.string()),
  is_error: z.optional(z.boolean()),
  content: z.optional(z.array(z.looseObject({}))),
});

export const foreignBlocks = (content: string | readonly object[]): ContentBlock[] =>
  (typeof content === "string" ? [{ text: content }] : content).flatMap(toBlock);

function toBlock(raw: object): ContentBlock[] {
  const read = Block.safeParse(raw);
  if (!read.success) return [];
  const block = read.data;
  if (block.name && block.id) {
    return [{ type: "tool_call", id: block.id, name: block.name, args: block.arguments ?? null }];
  }
  if (block.call_id) {
    const content = (block.content ?? []).flatMap(toBlock).flatMap(toResult);
    return [{ type: "tool_result", call_id: block.call_id, is_error: block.is_error ?? false, content }];
  }
  const mime_type = block.mime_type ?? block.mimeType;
  if (mime_type) return [image(mime_type, block.data ?? "")];
  // Signatures stay behind: they are of use only to the program that asked for them.
  if (block.type === "thinking") return block.thinking ? [{ type: "thinking", text: block.thinking }] : [];
  if (block.summary) return [{ type: "thinking", text: block.summary }];
  return block.text ? [{ type: "text", text: block.text }] : [];
}

/** omp keeps large pictures in files of their own, and a reference here. */
function image(mime_type: string, data: string): ContentBlock {
  if (data === "" || data.startsWith("blob:")) return { type: "image", mime_type, bytes: 0 };
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  return { type: "image", mime_type, bytes: Math.floor((data.length * 3) / 4) - padding, data };
}

const toResult = (block: ContentBlock): ResultContent[] =>
  block.type === "text" || block.type === "image" ? [block] : [];
