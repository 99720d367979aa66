// Converts pi's messages and usage to those of our protocol.
import { type ContentBlock, type ResultContent, toNanoDollars, type Usage } from "@patchbay/protocol";
import * as z from "zod/mini";
import type { PiMessage, PiUsage } from "./schemas.ts";

const Text = z.object({ type: z.literal("text"), text: z.string() });
const Thinking = z.object({
  type: z.literal("thinking"),
  thinking: z.string(),
  thinkingSignature: z.optional(z.string()),
});
const Image = z.object({ type: z.literal("image"), data: z.string(), mimeType: z.string() });
const Call = z.object({
  type: z.literal("toolCall"),
  id: z.string(),
  name: z.string(),
  arguments: z.optional(z.unknown()),
});
const Known = z.discriminatedUnion("type", [Text, Thinking, Image, Call]);

export function toBlocks(content: PiMessage["content"]): ContentBlock[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return content.flatMap((given): ContentBlock[] => {
    const block = Known.safeParse(given).data;
    switch (block?.type) {
      case "text":
        return [{ type: "text", text: block.text }];
      case "thinking": {
        const signature = block.thinkingSignature;
        return [
          { type: "thinking", text: block.thinking, ...(signature === undefined ? {} : { signature }) },
        ];
      }
      case "image":
        return [imageBlock(block.mimeType, block.data)];
      case "toolCall":
        return [{ type: "tool_call", id: block.id, name: block.name, args: block.arguments ?? {} }];
      case undefined:
        return []; // a block of a newer version, which we cannot show
    }
  });
}

export const toResult = (content: PiMessage["content"]): ResultContent[] =>
  toBlocks(content).flatMap((block) => (block.type === "text" || block.type === "image" ? [block] : []));

export const imageBlock = (mime_type: string, data: string): ContentBlock & { type: "image" } => ({
  type: "image",
  mime_type,
  bytes: Buffer.byteLength(data, "base64"),
  data,
});

export const textOf = (content: PiMessage["content"]): string =>
  toBlocks(content)
    .flatMap((block) => (block.type === "text" ? [block.text] : []))
    .join("");

/**
 * Null: there was no call. pi writes zeros when an answer was refused or never requested. Tokens with a cost of 0 are of a
 * model whose price it does not know.
 */
export function toUsage(usage: z.infer<typeof PiUsage> | undefined): Usage | null {
  if (usage === undefined) return null;
  const { input, output, cacheRead, cacheWrite, cost } = usage;
  if (input + output + cacheRead + cacheWrite === 0) return null;
  const dollars = cost?.total ?? 0;
  return {
    input,
    output,
    cache_read: cacheRead,
    cache_write: cacheWrite,
    cost_usd: dollars > 0 ? toNanoDollars(dollars) / 1e9 : 0,
    ...(dollars > 0 ? {} : { unpriced: 1 }),
  };
}

export function toTime(timestamp: number | undefined): string {
  const date = new Date(timestamp === undefined || timestamp <= 0 ? Date.now() : timestamp);
  return (Number.isNaN(date.getTime()) ? new Date() : date).toISOString();
}
