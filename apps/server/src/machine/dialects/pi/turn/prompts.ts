// Converts a prompt to the program's request, and to the content that the transcript shows.
import { type ContentBlock, PromptImage } from "@patchbay/protocol";
import * as z from "zod/mini";
import type { WorkerBound } from "../../dialect.ts";
import { imageBlock } from "../wire/blocks.ts";

const Prompt = z.object({
  message: z.catch(z.string(), ""),
  images: z.catch(z.array(PromptImage), []),
});

export function toPrompt(type: string, command: WorkerBound): WorkerBound {
  const { message, images } = Prompt.parse(command);
  const pictures = images.map(({ mime_type, data }) => ({ type: "image", data, mimeType: mime_type }));
  return { type, message, ...(pictures.length === 0 ? {} : { images: pictures }) };
}

export function shownPrompt(command: WorkerBound): ContentBlock[] {
  const { message, images } = Prompt.parse(command);
  const pictures = images.map(({ mime_type, data }) => imageBlock(mime_type, data));
  return [...(message === "" ? [] : [{ type: "text" as const, text: message }]), ...pictures];
}

export const promptText = (command: WorkerBound): string => Prompt.parse(command).message;

/** The key by which the server recognises the prompt in the log. */
export const keyOf = ({ key }: WorkerBound): string | undefined =>
  typeof key === "string" ? key : undefined;
