// The grep tool: lines that match a pattern, in all files below a directory that git would show.
import * as z from "zod/mini";
import { runSearch } from "../search/run-search.ts";
import { findPlace } from "./files/files.ts";
import { defineTool, succeeded } from "./tool.ts";

/** Enough to see where something is used; the model can ask for more. */
const defaultLimit = 100;
const maxLimit = 2_000;
/** A tree that takes longer is better searched in parts. */
const timeoutMs = 30_000;

export const grep = defineTool({
  name: "grep",
  effect: "reads",
  description:
    "Search files for a regular expression (JavaScript's), line by line. Answers path:line: text. Skips what .gitignore names, .git and binary files.",
  args: z.object({
    pattern: z.string().check(z.minLength(1), z.describe("What to look for")),
    path: z.optional(z.string().check(z.describe("A directory or file; default: the working directory"))),
    glob: z.optional(z.string().check(z.describe("Only these files: *.ts, src/**/*.{js,ts}"))),
    ignoreCase: z.optional(z.boolean()),
    literal: z.optional(z.boolean().check(z.describe("The pattern is plain text"))),
    context: z.optional(
      z.number().check(z.int(), z.minimum(0), z.maximum(20), z.describe("Lines around each match")),
    ),
    limit: z.optional(
      z.number().check(z.int(), z.minimum(1), z.maximum(maxLimit), z.describe("Matches; default 100")),
    ),
  }),
  run: async (args, context) => {
    const place = await findPlace(args.path ?? ".", context);
    const limit = args.limit ?? defaultLimit;
    const answer = await runSearch(
      {
        kind: "grep",
        ...place,
        pattern: args.pattern,
        glob: args.glob ?? null,
        literal: args.literal ?? false,
        ignoreCase: args.ignoreCase ?? false,
        context: args.context ?? 0,
        limit,
        timeoutMs,
      },
      context.signal,
    );
    if (!answer.ok) throw new Error(answer.problem);
    const { text, count, cut } = answer;
    if (cut === "time")
      return succeeded(
        `${text}\n[stopped after ${timeoutMs / 1000} s with ${count} matches; name a smaller path]`.trimStart(),
      );
    if (count === 0) return succeeded("no matches");
    if (cut === null) return succeeded(text);
    return succeeded(`${text}\n[${count} matches shown, there are more; narrow it down, or raise limit]`);
  },
});
