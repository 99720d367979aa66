// Whether a directory without a repository is small enough to be remembered as a whole.
import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";

const maxFiles = 5_000;
const maxBytes = 64 * 1024 * 1024;

/** What programs put there and people do not read: as patterns for git, and as names here. */
export const passedOver = ["node_modules", ".cache", ".venv", "__pycache__"];

export async function tooLarge(directory: string): Promise<boolean> {
  const waiting = [directory];
  let files = 0;
  let bytes = 0;
  for (let here = waiting.pop(); here !== undefined; here = waiting.pop()) {
    try {
      for await (const entry of await opendir(here, { bufferSize: 256 })) {
        if (entry.name === ".git") continue;
        if (entry.isDirectory() && !passedOver.includes(entry.name)) waiting.push(join(here, entry.name));
        if (waiting.length > maxFiles) return true;
        if (!entry.isFile()) continue;
        files++;
        bytes += (await lstat(join(here, entry.name)).catch(() => null))?.size ?? 0;
        if (files > maxFiles || bytes > maxBytes) return true;
      }
    } catch {
      // Not ours to read, or gone meanwhile.
    }
  }
  return false;
}
