// A prompt's text and images as the blocks of a user message. Bad base64 is refused here, before the
// turn starts, because a provider's error about it would not name the image.
import type { ContentBlock, PromptImage } from "@patchbay/protocol";
import type { Prompt } from "./prompt.ts";

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const imageTypes: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** The fields that prompts, steering and follow-ups have in common. */
interface PromptInput {
  readonly message?: string | undefined;
  readonly images?: readonly PromptImage[] | undefined;
  readonly key?: string | undefined;
}

type Refusal = { ok: false; error: string };

/** Several for one turn; the first refusal refuses all. */
export function readPrompts(
  given: readonly [PromptInput, ...PromptInput[]],
): { ok: true; prompts: [Prompt, ...Prompt[]] } | Refusal {
  const [head, ...rest] = given;
  const first = readPrompt(head);
  if (!first.ok) return first;
  const prompts: [Prompt, ...Prompt[]] = [first.prompt];
  for (const input of rest) {
    const next = readPrompt(input);
    if (!next.ok) return next;
    prompts.push(next.prompt);
  }
  return { ok: true, prompts };
}

export function readPrompt(command: PromptInput): { ok: true; prompt: Prompt } | Refusal {
  const text = command.message ?? "";
  const images = command.images ?? [];
  if (text.trim() === "" && images.length === 0) {
    return { ok: false, error: "the prompt is empty: enter a message or attach an image" };
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
  return { ok: true, prompt: { content, key: command.key } };
}
