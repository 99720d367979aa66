// The ls tool: one directory as it is, ignored files and links included, which the searching tools leave out.
import { readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { type Fence, holdDirectory, type OpenDirectory } from "@patchbay/sandbox";
import * as z from "zod/mini";
import { findPlace, toReadableError } from "./files/files.ts";
import { defineTool, succeeded } from "./tool.ts";

/** For more entries a search is the better tool. */
const defaultLimit = 500;
const maxLimit = 10_000;

export const ls = defineTool({
  name: "ls",
  effect: "reads",
  description: "List a directory, hidden files too. Directories end with a slash, links say where they lead.",
  args: z.object({
    path: z.optional(z.string().check(z.describe("Default: the working directory"))),
    limit: z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(maxLimit))),
  }),
  run: async ({ path = ".", limit = defaultLimit }, context) => {
    const { root, fence } = await findPlace(path, context);
    await using held = await hold(root, path, fence);
    const directory = held?.path ?? root;
    const entries = await readdir(directory, { withFileTypes: true }).catch((error: unknown) => {
      throw toReadableError(error, path);
    });
    if (entries.length === 0) return succeeded(`${path} is empty`);
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    const names = await Promise.all(
      entries.slice(0, limit).map(async (entry) => {
        if (entry.isDirectory()) return `${entry.name}/`;
        if (!entry.isSymbolicLink()) return entry.name;
        const target = await readlink(join(directory, entry.name)).catch(() => "?");
        return `${entry.name} -> ${target}`;
      }),
    );
    const rest = entries.length - names.length;
    return succeeded([...names, ...(rest > 0 ? [`[${rest} more; raise limit to see them]`] : [])].join("\n"));
  },
});

/** In the jail the directory is held open, so that it is the one that was looked at. */
async function hold(root: string, path: string, fence: Fence | null): Promise<OpenDirectory | null> {
  if (fence === null) return null;
  return holdDirectory(root, path, fence).catch((error: unknown) => {
    throw toReadableError(error, path);
  });
}
