// The read tool: text by lines, or an image. The file is streamed, so any part of a file of any size
// can be read, and the result names the next offset where it was cut.
import * as z from "zod/mini";
import { fileSize, locate, openFile } from "./files/files.ts";
import { readLines } from "./files/read-lines.ts";
import { defineTool, succeeded, type ToolContext, type ToolOutcome } from "./tool.ts";

const images: Record<string, string> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};

/** Providers refuse images over 5 MB in base64, which is a third longer than the file. */
const maxImageBytes = 3_750_000;

export const read = defineTool({
  name: "read",
  effect: "reads",
  description:
    "Read a text file or an image (png, jpg, gif, webp). Text is cut at 2000 lines or 50 KiB; the result then says which offset to continue with.",
  args: z.object({
    path: z.string().check(z.minLength(1), z.describe("Relative to the working directory, or absolute")),
    offset: z.optional(z.number().check(z.int(), z.minimum(1), z.describe("First line, counted from 1"))),
    limit: z.optional(z.number().check(z.int(), z.minimum(1), z.describe("How many lines"))),
  }),
  run: async ({ path, offset, limit }, context) => {
    const full = locate(path, context);
    const size = await fileSize(full, path, context);
    if (size === null) throw new Error(`${path} does not exist`);
    const mime = images[full.slice(full.lastIndexOf(".") + 1).toLowerCase()];
    if (mime !== undefined) return await readImage(full, path, mime, size, context);
    return succeeded(await readLines(full, path, offset ?? 1, limit ?? Number.POSITIVE_INFINITY, context));
  },
});

async function readImage(
  full: string,
  path: string,
  mime_type: string,
  size: number,
  context: ToolContext,
): Promise<ToolOutcome> {
  if (size > maxImageBytes) {
    throw new Error(`${path} is too large for an image: ${size} bytes, at most ${maxImageBytes}`);
  }
  await using file = await openFile(full, path, context);
  const data = await file.readFile("base64");
  return { content: [{ type: "image", mime_type, bytes: size, data }], isError: false };
}
