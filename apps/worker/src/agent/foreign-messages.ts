// Messages of zot's, pi's and omp's session files in our own shape. Both keep one entry per line; zot's blocks
// have no type and are told by their fields, pi's entries form a tree of which the last one's line is read.
import type { ContentBlock, Message, ResultContent } from "@patchbay/protocol";
import * as z from "zod/mini";

const Entry = z.looseObject({
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
    command: z.optional(z.string()),
    output: z.optional(z.string()),
    exitCode: z.optional(z.nullable(z.number())),
    cancelled: z.optional(z.boolean()),
    truncated: z.optional(z.boolean()),
  }),
});
type Entry = z.infer<typeof Entry>;

export function foreignMessages(rows: readonly object[]): Message[] {
  const messages = lastLine(rows).flatMap(toMessage);
  return messages.reduce<Message[]>(joinResults, []);
}

/** From the last entry back to the first; entries without a parent (zot's) all count. */
function lastLine(rows: readonly object[]): Entry[] {
  const entries = rows.flatMap((row) => Entry.safeParse(row).data ?? []);
  if (!entries.some(({ parentId }) => typeof parentId === "string")) return entries;
  // Entries that are no messages (a model change, a label) stand between messages in pi's tree.
  const parents = new Map<string, string | null>();
  for (const row of rows) {
    const read = z.looseObject({ id: z.string(), parentId: z.nullable(z.string()) }).safeParse(row);
    if (read.success) parents.set(read.data.id, read.data.parentId);
  }
  const line = new Set<string>();
  for (
    let id: string | null | undefined = [...parents.keys()].at(-1);
    typeof id === "string" && !line.has(id);
  ) {
    line.add(id);
    id = parents.get(id);
  }
  return entries.filter(({ id }) => id !== undefined && line.has(id));
}

function toMessage({ message, timestamp }: Entry): Message[] {
  const time = message.time ?? timestamp ?? "";
  const blocks = typeof message.content === "string" ? [{ text: message.content }] : (message.content ?? []);
  const content = blocks.flatMap(toBlock);
  switch (message.role) {
    case "user":
    case "assistant":
    case "tool":
      return content.length === 0 ? [] : [{ role: message.role, content, time }];
    case "toolResult": {
      const call_id = message.toolCallId ?? "";
      const result = { type: "tool_result" as const, call_id, is_error: message.isError ?? false };
      return [{ role: "tool", content: [{ ...result, content: content.flatMap(toResult) }], time }];
    }
    case "bashExecution":
      return [{ role: "user", content: [{ type: "text", text: commandText(message) }], time }];
    default:
      return []; // what a newer version keeps besides its conversation
  }
}

const commandText = ({ command, output, exitCode }: Entry["message"]): string =>
  `I ran this command myself:\n\n$ ${command ?? ""}\n\n${output ?? ""}\n\nIt ended with exit code ${exitCode ?? "unknown"}.`;

/** pi writes a message per result, we one per step. */
function joinResults(before: Message[], message: Message): Message[] {
  const last = before.at(-1);
  if (message.role !== "tool" || last?.role !== "tool") return [...before, message];
  return [...before.slice(0, -1), { ...last, content: [...last.content, ...message.content] }];
}

const Block = z.looseObject({
  type: z.optional(z.string()),
  text: z.optional(z.string()),
  thinking: z.optional(z.string()),
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
  if (mime_type) {
    const bytes = Buffer.byteLength(block.data ?? "", "base64");
    return [{ type: "image", mime_type, bytes, ...(block.data ? { data: block.data } : {}) }];
  }
  // Signatures stay behind: they are of use only to the program that asked for them.
  if (block.type === "thinking") return block.thinking ? [{ type: "thinking", text: block.thinking }] : [];
  return block.text ? [{ type: "text", text: block.text }] : [];
}

const toResult = (block: ContentBlock): ResultContent[] =>
  block.type === "text" || block.type === "image" ? [block] : [];
