// Writes a file and the directories above it: most tests of this folder begin with a tree of files.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

export async function putFile(
  directory: string,
  path: string,
  content: string | Uint8Array,
): Promise<string> {
  const full = join(directory, path);
  await mkdir(dirname(full), { recursive: true });
  await writeFile(full, content);
  return full;
}
