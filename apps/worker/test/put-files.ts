// A tree of files, by path and content.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export function putFiles(directory: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
}
