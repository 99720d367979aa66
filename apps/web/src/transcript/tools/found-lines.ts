// What a search found, by file: `path:12: text` lines, with the lines around a match as `path-12- text`.
export interface FoundFile {
  path: string;
  lines: readonly { number: number; text: string; match: boolean }[];
}

const matching = /^(.+?):(\d+):\s?(.*)$/;
const around = /^(.+?)-(\d+)-\s?(.*)$/;

/** Null when the output is not of that kind. `notes` are the tool's own messages. */
export function readFound(output: string): { files: FoundFile[]; notes: string[] } | null {
  const files: { path: string; lines: { number: number; text: string; match: boolean }[] }[] = [];
  const notes: string[] = [];
  for (const line of output.trimEnd().split("\n")) {
    if (line === "--" || line === "") continue;
    const match = matching.exec(line);
    const found = match ?? around.exec(line);
    if (found === null) {
      notes.push(line);
      continue;
    }
    const [, path = "", number = "", text = ""] = found;
    const last = files.at(-1);
    const file = last?.path === path ? last : { path, lines: [] };
    if (file !== last) files.push(file);
    file.lines.push({ number: Number(number), text, match: match !== null });
  }
  return files.length === 0 || notes.length > 3 ? null : { files, notes };
}
