// The find tool: paths whose name matches a glob, below a directory, without what git would not show.
import * as z from "zod/mini";
import { runSearch } from "../search/run-search.ts";
import { findPlace } from "./files/files.ts";
import { defineTool, succeeded } from "./tool.ts";

const defaultLimit = 1_000;
const maxLimit = 10_000;
/** A tree that takes longer is better searched in parts. */
const timeoutMs = 30_000;

export const find = defineTool({
  name: "find",
  effect: "reads",
  description:
    "Find files and directories by name. A glob without a slash matches names at any depth (*.ts), one with a slash paths (src/**/*.test.ts). Skips what .gitignore names and .git; directories end with a slash.",
  args: z.object({
    pattern: z.string().check(z.minLength(1), z.describe("A glob")),
    path: z.optional(z.string().check(z.describe("Where; default: the working directory"))),
    limit: z.optional(
      z.number().check(z.int(), z.minimum(1), z.maximum(maxLimit), z.describe("Paths; default 1000")),
    ),
  }),
  run: async ({ pattern, path, limit = defaultLimit }, context) => {
    const place = await findPlace(path ?? ".", context);
    const task = { kind: "find", ...place, glob: pattern, limit, timeoutMs } as const;
    const answer = await runSearch(task, context.signal);
    if (!answer.ok) throw new Error(answer.problem);
    const { text, count, cut } = answer;
    if (cut === "time")
      return succeeded(
        `${text}\n[stopped after ${timeoutMs / 1000} s with ${count} paths; name a smaller path]`.trimStart(),
      );
    if (count === 0) return succeeded("nothing found");
    if (cut === null) return succeeded(text);
    return succeeded(`${text}\n[${count} paths shown, there are more; narrow it down, or raise limit]`);
  },
});
