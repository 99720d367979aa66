// A prompt's text and images as the blocks of a user message. Bad base64 is refused here, before the
// turn starts, because a provider's answer to it would be a riddle.
import type { ContentBlock, PromptCommand } from "@patchbay/protocol";

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const imageTypes: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

export type PromptReading = { ok: true; content: ContentBlock[] } | { ok: false; error: string };

export function readPrompt(command: PromptCommand): PromptReading {
  const text = command.message ?? "";
  const images = command.images ?? [];
  if (text.trim() === "" && images.length === 0) {
    return { ok: false, error: "the prompt is empty: write a message or attach an image" };
  }
  const content: ContentBlock[] = text.trim() === "" ? [] : [{ type: "text", text }];
  for (const [index, image] of images.entries()) {
    if (!imageTypes.has(image.mime_type)) {
      return {
        ok: false,
        error: `images.${index}: ${image.mime_type || "no type"} is not a PNG, JPEG, GIF or WebP image`,
      };
    }
    if (image.data === "" || !base64.test(image.data)) {
      return { ok: false, error: `images.${index}.data: illegal base64 data` };
    }
    content.push({
      type: "image",
      mime_type: image.mime_type,
      bytes: Buffer.byteLength(image.data, "base64"),
      data: image.data,
    });
  }
  return { ok: true, content };
}
