// The edit tool: exact replacements in a file, all of them or none, answered with a diff.
import { structuredPatch } from "diff";
import * as z from "zod/mini";
import { applyEdits } from "./apply-edits.ts";
import { fileSize, openFile, replaceFile, resolvePath } from "./files.ts";
import { defineTool, succeeded } from "./tool.ts";

/** Sources are far smaller; a larger file is data, and better changed with a program. */
const maxFileBytes = 10 * 1024 * 1024;
/** Finding the smallest diff of two very different texts takes quadratic time. */
const maxEditLength = 5_000;

export const edit = defineTool({
  name: "edit",
  description:
    "Change parts of a file. Each oldText must occur exactly once in the file as it is now; all edits are made together or none is.",
  args: z.object({
    path: z.string().check(z.minLength(1), z.describe("Relative to the working directory, or absolute")),
    edits: z
      .array(
        z.object({
          oldText: z
            .string()
            .check(z.describe("The exact text to replace, with enough around it to be unique")),
          newText: z.string().check(z.describe("What comes in its place")),
        }),
      )
      .check(z.minLength(1)),
  }),
  run: async ({ path, edits }, { cwd }) => {
    const full = resolvePath(cwd, path);
    const size = await fileSize(full, path);
    if (size === null) throw new Error(`${path} does not exist; create it with write`);
    if (size > maxFileBytes)
      throw new Error(`${path} is too large to edit: ${size} bytes, at most ${maxFileBytes}`);
    const before = await readText(full, path);
    const after = applyEdits(before, edits, path);
    await replaceFile(full, path, after);
    return succeeded(diff(before, after));
  },
});

/** Strictly UTF-8, with its BOM: bytes that do not decode would come back as other bytes. */
async function readText(full: string, path: string): Promise<string> {
  await using file = await openFile(full, path);
  const bytes = await file.readFile();
  if (bytes.includes(0)) throw new Error(`${path} looks binary; refusing to edit it`);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error(`${path} is not UTF-8 text; refusing to edit it`);
  }
}

const toLf = (text: string): string => text.replaceAll("\r\n", "\n").replace(/^\uFEFF/, "");

function diff(before: string, after: string): string {
  const patch = structuredPatch("", "", toLf(before), toLf(after), "", "", { context: 3, maxEditLength });
  if (patch === undefined) return "(the change is too large to show as a diff)";
  const hunks = patch.hunks.map((hunk) => hunk.lines.filter((line) => !line.startsWith("\\")).join("\n"));
  return hunks.join("\n...\n");
}
