// Whether a directory without a repository is small enough to be remembered as a whole.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

const maxFiles = 5_000;
const maxBytes = 64 * 1024 * 1024;

/** What programs put there, and nobody reads: as patterns for git, and as names here. */
export const passedOver = ["node_modules", ".cache", ".venv", "__pycache__"];

export async function tooLarge(directory: string): Promise<boolean> {
  const waiting = [directory];
  let files = 0;
  let bytes = 0;
  for (let here = waiting.pop(); here !== undefined; here = waiting.pop()) {
    for (const entry of await readdir(here, { withFileTypes: true }).catch(() => [])) {
      if (entry.isDirectory() && entry.name !== ".git" && !passedOver.includes(entry.name))
        waiting.push(join(here, entry.name));
      if (!entry.isFile()) continue;
      files++;
      bytes += (await stat(join(here, entry.name)).catch(() => null))?.size ?? 0;
      if (files > maxFiles || bytes > maxBytes) return true;
    }
    if (waiting.length > maxFiles) return true;
  }
  return false;
}
