// Files from the server. Fetched and then saved, not linked to: a link cannot carry the page's secret, and an address
// must not. Browsers keep what is fetched this way outside of the page's memory.
import { downloadResponse } from "./call.ts";

/** Saves it under the name that the server gives it. Rejects with a sentence for a person. */
export async function downloadFile(path: string, fallbackName: string): Promise<void> {
  const response = await downloadResponse(path);
  const named = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  saveFile(await response.blob(), named ?? fallbackName);
}

export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000); // the browser has begun to save it by then
}
