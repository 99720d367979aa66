// Messages and their content blocks, as zot rpc writes them.
// Additions of ours, all optional, so that zot's own frames are valid as they are: a `thinking` block,
// `data` on images (zot reports only their size), `duration_ms`, `mention`, `details` of a tool's result,
// and what a message of a person's is (`entry_id`, `bash`).
import * as z from "zod/mini";
import { Author } from "../people/author.ts";

/** On a block that no person wrote: what of their prompt it was added for, a file (`src/a.ts`) or a skill (`skill:name`). */
const mention = z.optional(z.string());

export const TextBlock = z.looseObject({ type: z.literal("text"), text: z.string(), mention });
export type TextBlock = z.infer<typeof TextBlock>;

export const ThinkingBlock = z.looseObject({
  type: z.literal("thinking"),
  text: z.string(),
  /** The provider's proof that it wrote this; needed to send the block back. */
  signature: z.optional(z.string()),
  duration_ms: z.optional(z.number()),
});
export type ThinkingBlock = z.infer<typeof ThinkingBlock>;

export const ImageBlock = z.looseObject({
  type: z.literal("image"),
  mime_type: z.string(),
  bytes: z.number(),
  data: z.optional(z.string()),
  mention,
});
export type ImageBlock = z.infer<typeof ImageBlock>;

export const ToolCallBlock = z.looseObject({
  type: z.literal("tool_call"),
  id: z.string(),
  name: z.string(),
  args: z.unknown(),
});
export type ToolCallBlock = z.infer<typeof ToolCallBlock>;

/** What may stand inside a tool result: text and images, never another call. */
export const ResultContent = z.discriminatedUnion("type", [TextBlock, ImageBlock]);
export type ResultContent = z.infer<typeof ResultContent>;

/** A block that a newer worker may write and we cannot read yet: shown as such, so that the rest is kept. */
function unreadable({ value }: { value: unknown }): TextBlock {
  const named = typeof value === "object" && value !== null && "type" in value ? value.type : null;
  const name = typeof named === "string" ? named.slice(0, 40) : "unknown";
  return { type: "text", text: `[unreadable ${name} block]` };
}

export const ResultBlocks = z.array(z.catch(ResultContent, unreadable));

/** Ours: the result once more, for a page to show. Never sent to a model. An edit has `path` and a unified `diff`. */
export const ResultDetails = z.record(z.string(), z.unknown());
export type ResultDetails = z.infer<typeof ResultDetails>;

export const ToolResultBlock = z.looseObject({
  type: z.literal("tool_result"),
  call_id: z.string(),
  is_error: z.boolean(),
  content: ResultBlocks,
  duration_ms: z.optional(z.number()),
  details: z.optional(ResultDetails),
});
export type ToolResultBlock = z.infer<typeof ToolResultBlock>;

export const ContentBlock = z.discriminatedUnion("type", [
  TextBlock,
  ThinkingBlock,
  ImageBlock,
  ToolCallBlock,
  ToolResultBlock,
]);
export type ContentBlock = z.infer<typeof ContentBlock>;

export const ContentBlocks = z.array(z.catch(ContentBlock, unreadable));

/** A command that a person ran: `content` then says to the model what it was, what it wrote and how it ended. */
export const PersonCommand = z.looseObject({
  id: z.string(),
  command: z.string(),
  /** Null when it was ended. */
  exit_code: z.nullable(z.number()),
  cancelled: z.boolean(),
  truncated: z.boolean(),
  full_output_path: z.optional(z.string()),
});
export type PersonCommand = z.infer<typeof PersonCommand>;

export const Message = z.looseObject({
  role: z.enum(["user", "assistant", "tool"]),
  content: ContentBlocks,
  /** RFC 3339, any offset. */
  time: z.string(),
  /** Of a prompt: by which one can go back to before it. */
  entry_id: z.optional(z.string()),
  /** Of a `user` message that is no prompt. */
  bash: z.optional(PersonCommand),
  /** It was sent into a running turn. */
  steering: z.optional(z.boolean()),
  /** Whose prompt it is, on a server with people. */
  by: z.optional(Author),
});
export type Message = z.infer<typeof Message>;

/** omp writes `mimeType`; both are taken. */
const fromOmp = z.transform((image: unknown) =>
  typeof image === "object" && image !== null && "mimeType" in image
    ? { mime_type: image.mimeType, ...image }
    : image,
);
export const PromptImage = z.pipe(fromOmp, z.object({ mime_type: z.string(), data: z.string() }));
export type PromptImage = z.infer<typeof PromptImage>;

/** The text of a message, without its tool calls, images, thinking and the files it mentions. */
export function messageText(message: Pick<Message, "content">): string {
  return message.content.flatMap((block) => (isOwnText(block) ? [block.text] : [])).join("\n");
}

const isOwnText = (block: ContentBlock): block is TextBlock =>
  block.type === "text" && block.mention === undefined;
