// The write tool: creates a file or replaces it completely. The result says what was written and does
// not repeat it, which would only cost tokens.
import * as z from "zod/mini";
import { fileSize, replaceFile, resolvePath } from "./files.ts";
import { defineTool, succeeded } from "./tool.ts";

export const write = defineTool({
  name: "write",
  description: "Create a file, or replace it completely. Missing directories are made.",
  args: z.object({
    path: z.string().check(z.minLength(1), z.describe("Relative to the working directory, or absolute")),
    content: z.string().check(z.describe("The whole content of the file")),
  }),
  run: async ({ path, content }, { cwd }) => {
    const full = resolvePath(cwd, path);
    const before = await fileSize(full, path);
    await replaceFile(full, path, content);
    const verb = before === null ? "created" : "replaced";
    return succeeded(
      `${verb} ${path}: ${count(Buffer.byteLength(content), "byte")}, ${count(countLines(content), "line")}`,
    );
  },
});

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? "" : "s"}`;

const countLines = (text: string): number =>
  text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
