// A prompt of ours as the program takes it, and as the transcript shows it.
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

export const wordsOf = (command: WorkerBound): string => Prompt.parse(command).message;

/** By which the server knows it again in the log. */
export const keyOf = ({ key }: WorkerBound): string | undefined =>
  typeof key === "string" ? key : undefined;
