// Pictures from the clipboard, as the worker protocol wants them.
import type { PromptImage } from "@patchbay/protocol";

/** Base64 grows by a third and a line may have 16 MiB: three of these fit. */
export const imageLimit = 3 * 1024 * 1024;
export const imageCount = 3;

export function pastedImages(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])].filter((file) => file.type.startsWith("image/"));
}

export async function readImage(file: File): Promise<PromptImage> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === "string" ? reader.result : "");
    reader.onerror = () => reject(new Error("The picture could not be read."));
    reader.readAsDataURL(file);
  });
  return { mime_type: file.type, data: url.slice(url.indexOf(",") + 1) };
}
