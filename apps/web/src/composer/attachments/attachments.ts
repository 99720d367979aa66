// What is attached to a prompt: pictures as the worker protocol wants them, and text files, which every worker
// understands because they become part of the prompt.
import type { PromptImage } from "@patchbay/protocol";
import { formatBytes } from "../../format/bytes.ts";
import { composerTexts } from "../texts.ts";

/** Base64 grows by a third and a line may have 16 MiB: three of these fit. */
export const imageLimit = 3 * 1024 * 1024;
export const imageCount = 3;
/** About what a model reads in one go; a larger file belongs into the directory. */
const textLimit = 256 * 1024;
export const textCount = 8;

export interface TextFile {
  name: string;
  text: string;
}

export interface Attachments {
  images: readonly PromptImage[];
  texts: readonly TextFile[];
}

export const noAttachments: Attachments = { images: [], texts: [] };

export const isPicture = ({ type }: File): boolean => /^image\/(png|jpeg|gif|webp)$/.test(type);

export async function readImage(file: File): Promise<PromptImage> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === "string" ? reader.result : "");
    reader.onerror = () => reject(new Error(composerTexts.imageUnreadable));
    reader.readAsDataURL(file);
  });
  return { mime_type: file.type, data: url.slice(url.indexOf(",") + 1) };
}

export async function readAttachedText(file: File): Promise<TextFile> {
  if (file.size > textLimit) {
    throw new Error(composerTexts.fileTooLarge(file.name, formatBytes(file.size), formatBytes(textLimit)));
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    if (bytes.includes(0)) throw new TypeError("not a text");
    return { name: file.name, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    throw new Error(composerTexts.fileNotText(file.name));
  }
}

/** The prompt with the text files after it, each in a fence that its own text cannot close. */
export function withTexts(message: string, texts: readonly TextFile[]): string {
  const fenced = texts.map(({ name, text }) => {
    const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
    const fence = "`".repeat(longest + 1);
    return `Attached file ${name}:\n${fence}\n${text.replace(/\n$/, "")}\n${fence}`;
  });
  return [message, ...fenced].filter((part) => part !== "").join("\n\n");
}
