// The edit tool: exact replacements in a file, all of them or none, answered with a diff.
import * as z from "zod/mini";
import { applyEdits } from "./apply-edits.ts";
import { diffFile } from "./file-diff.ts";
import { fileSize, readText, replaceFile, resolvePath } from "./files.ts";
import { defineTool, succeeded } from "./tool.ts";

/** Sources are far smaller; a larger file is data, and better changed with a program. */
const maxFileBytes = 10 * 1024 * 1024;

export const edit = defineTool({
  name: "edit",
  effect: "edits",
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
    const { hunks, details } = diffFile(path, before, after);
    return { ...succeeded(hunks ?? "(the change is too large to show as a diff)"), details };
  },
});
