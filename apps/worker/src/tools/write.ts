// The write tool: creates a file or replaces it completely. The result does not repeat
// the content, which would only cost tokens; the page gets the difference.
import * as z from "zod/mini";
import { diffFile } from "./files/file-diff.ts";
import { fileSize, locate, readUtf8, replaceFile } from "./files/files.ts";
import { defineTool, succeeded, type ToolContext } from "./tool.ts";

export const write = defineTool({
  name: "write",
  effect: "edits",
  description: "Create a file, or replace it completely. Missing directories are made.",
  args: z.object({
    path: z.string().check(z.minLength(1), z.describe("Relative to the working directory, or absolute")),
    content: z.string().check(z.describe("The whole content of the file")),
  }),
  changes: ({ path }, context) => [locate(path, context)],
  preview: async ({ path, content }, context) => {
    const { exists, before } = await present(path, context);
    const diff = before === undefined ? undefined : diffFile(path, before, content).details.diff;
    return { title: `${exists ? "Replace" : "Create"} ${path}?`, ...(diff === undefined ? {} : { diff }) };
  },
  run: async ({ path, content }, context) => {
    const { full, exists, before } = await present(path, context);
    await replaceFile(full, path, content, context);
    const verb = exists ? "replaced" : "created";
    const text = `${verb} ${path}: ${count(Buffer.byteLength(content), "byte")}, ${count(countLines(content), "line")}`;
    const details = before === undefined ? { path } : diffFile(path, before, content).details;
    return { ...succeeded(text), details };
  },
});

/** What is there now; `before` is null when nothing is, undefined when it cannot be compared. */
async function present(path: string, context: ToolContext) {
  const full = locate(path, context);
  const size = await fileSize(full, path, context);
  return {
    full,
    exists: size !== null,
    before: size === null ? null : await textBefore(full, path, size, context),
  };
}

/** A larger file is data: its difference is not shown. */
const maxDiffBytes = 1024 * 1024;

async function textBefore(
  full: string,
  path: string,
  size: number,
  context: ToolContext,
): Promise<string | undefined> {
  if (size > maxDiffBytes) return undefined;
  return readUtf8(full, path, context).catch(() => undefined); // binary, or gone meanwhile: written all the same
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? "" : "s"}`;

const countLines = (text: string): number =>
  text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
