// What an MCP tool answered, as the content of a tool result: text and pictures; everything else is
// replaced by a line that describes it.
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import type { ResultContent } from "@patchbay/protocol";
import type { ToolOutcome } from "../tools/tool.ts";

/** Twice what our own tools show; a server that answers more should be asked for less. */
const maxChars = 100 * 1024;
/** As for files that are read: providers refuse more. */
const maxImageBytes = 3_750_000;
/** Each costs a thousand tokens or more. */
const maxImages = 8;
const imageTypes: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

export function toOutcome(result: CallToolResult): ToolOutcome {
  const blocks = result.content.map(toResultContent);
  if (result.structuredContent !== undefined && !blocks.some((block) => block.type === "text")) {
    blocks.push(text(JSON.stringify(result.structuredContent, null, 2)));
  }
  return { content: bounded(blocks), isError: result.isError ?? false };
}

const text = (content: string): ResultContent => ({ type: "text", text: content });

export function toResultContent(block: ContentBlock): ResultContent {
  switch (block.type) {
    case "text":
      return text(block.text);
    case "image":
      return (
        picture(block.data, block.mimeType) ?? text(`[an image (${block.mimeType}) that cannot be shown]`)
      );
    case "audio":
      return text(`[audio (${block.mimeType}), which cannot be played here]`);
    case "resource_link":
      return text(
        `[resource ${block.name}: ${block.uri}${block.description ? ` (${block.description})` : ""}]`,
      );
    case "resource": {
      const { resource } = block;
      if ("text" in resource) return text(`<resource uri="${resource.uri}">\n${resource.text}\n</resource>`);
      const { blob, mimeType = "unknown type", uri } = resource;
      return picture(blob, mimeType) ?? text(`[resource ${uri}: ${mimeType}, not a text]`);
    }
  }
}

/** Decoded and encoded again: a provider's error about bad base64 does not name the image. */
function picture(base64: string, mime_type: string): ResultContent | null {
  if (!imageTypes.has(mime_type)) return null;
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length === 0 || bytes.length > maxImageBytes) return null;
  return { type: "image", mime_type, bytes: bytes.length, data: bytes.toString("base64") };
}

function bounded(blocks: readonly ResultContent[]): ResultContent[] {
  let chars = maxChars;
  let images = maxImages;
  let left = 0;
  const kept = blocks.flatMap((block): ResultContent[] => {
    if (block.type === "image") return images-- > 0 ? [block] : [];
    const part = block.text.slice(0, Math.max(0, chars));
    chars -= part.length;
    left += block.text.length - part.length;
    return part === "" ? [] : [text(part)];
  });
  if (left > 0) kept.push(text(`[cut here: ${left} characters more; ask for less at a time]`));
  if (images < 0) kept.push(text(`[${-images} more images were left out]`));
  return kept;
}
