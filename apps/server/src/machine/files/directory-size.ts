// Whether a directory without a repository is small enough for a starting point of all its files.
import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";

const maxFiles = 5_000;
const maxBytes = 64 * 1024 * 1024;

/** Generated directories that people do not read: patterns for git, and names here. */
export const generatedNames = ["node_modules", ".cache", ".venv", "__pycache__"];

export async function tooLarge(directory: string): Promise<boolean> {
  const waiting = [directory];
  let files = 0;
  let bytes = 0;
  for (let here = waiting.pop(); here !== undefined; here = waiting.pop()) {
    try {
      for await (const entry of await opendir(here, { bufferSize: 256 })) {
        if (entry.name === ".git") continue;
        if (entry.isDirectory() && !generatedNames.includes(entry.name)) waiting.push(join(here, entry.name));
        if (waiting.length > maxFiles) return true;
        if (!entry.isFile()) continue;
        files++;
        bytes += (await lstat(join(here, entry.name)).catch(() => null))?.size ?? 0;
        if (files > maxFiles || bytes > maxBytes) return true;
      }
    } catch {
      // Not readable, or removed meanwhile.
    }
  }
  return false;
}
