// The edit tool: exact replacements in a file, all of them or none, answered with a diff.
import * as z from "zod/mini";
import { applyEdits, type TextEdit } from "./files/apply-edits.ts";
import { diffFile } from "./files/file-diff.ts";
import { fileSize, locate, readUtf8, replaceFile } from "./files/files.ts";
import { defineTool, succeeded, type ToolContext } from "./tool.ts";

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
  changes: ({ path }, context) => [locate(path, context)],
  preview: async ({ path, edits }, context) => {
    const { before, after } = await change(path, edits, context);
    const { diff } = diffFile(path, before, after).details;
    return { title: `Edit ${path}?`, ...(diff === undefined ? {} : { diff }) };
  },
  run: async ({ path, edits }, context) => {
    const { full, before, after } = await change(path, edits, context);
    await replaceFile(full, path, after, context);
    const { hunks, details } = diffFile(path, before, after);
    return { ...succeeded(hunks ?? "(the change is too large to show as a diff)"), details };
  },
});

async function change(path: string, edits: readonly TextEdit[], context: ToolContext) {
  const full = locate(path, context);
  const size = await fileSize(full, path, context);
  if (size === null) throw new Error(`${path} does not exist; create it with write`);
  if (size > maxFileBytes)
    throw new Error(`${path} is too large to edit: ${size} bytes, at most ${maxFileBytes}`);
  const before = await readUtf8(full, path, context);
  return { full, before, after: applyEdits(before, edits, path) };
}
