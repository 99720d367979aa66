// The arguments of the tools we know, read with schemas: a model writes them, so any shape may come.
// While they are still being written, the first strings are picked out of the unfinished JSON.
import * as z from "zod/mini";

const Edit = z.looseObject({ oldText: z.string(), newText: z.string() });
const Args = {
  bash: z.looseObject({ command: z.string(), timeout: z.optional(z.number()) }),
  read: z.looseObject({ path: z.string(), offset: z.optional(z.number()), limit: z.optional(z.number()) }),
  write: z.looseObject({ path: z.string(), content: z.string() }),
  edit: z.looseObject({ path: z.string(), edits: z.array(Edit) }),
  grep: z.looseObject({ pattern: z.string(), path: z.optional(z.string()), glob: z.optional(z.string()) }),
  find: z.looseObject({ pattern: z.string(), path: z.optional(z.string()) }),
  ls: z.looseObject({ path: z.optional(z.string()) }),
};

export type KnownCall =
  | { tool: "bash"; command: string }
  | { tool: "read"; path: string; from: number | null; count: number | null }
  | { tool: "write"; path: string; content: string }
  | { tool: "edit"; path: string; edits: readonly z.infer<typeof Edit>[] }
  | { tool: "search"; pattern: string; within: string; unit: "match" | "path" | "entry" }
  | { tool: "other" };

export function readCall(name: string, args: unknown): KnownCall {
  const tool = name.toLowerCase();
  if (tool === "bash") {
    const read = Args.bash.safeParse(args);
    if (read.success) return { tool, command: read.data.command };
  } else if (tool === "read") {
    const read = Args.read.safeParse(args);
    if (read.success) {
      return { tool, path: read.data.path, from: read.data.offset ?? null, count: read.data.limit ?? null };
    }
  } else if (tool === "write") {
    const read = Args.write.safeParse(args);
    if (read.success) return { tool, path: read.data.path, content: read.data.content };
  } else if (tool === "edit") {
    const read = Args.edit.safeParse(args);
    if (read.success) return { tool, path: read.data.path, edits: read.data.edits };
  }
  return readSearch(tool, args) ?? { tool: "other" };
}

function readSearch(tool: string, args: unknown): KnownCall | null {
  if (tool === "grep") {
    const read = Args.grep.safeParse(args);
    if (!read.success) return null;
    const { pattern, path = "", glob = "" } = read.data;
    const within = [path, glob].filter((part) => part !== "" && part !== ".").join(" ");
    return { tool: "search", pattern: JSON.stringify(pattern), within, unit: "match" };
  }
  if (tool === "find") {
    const read = Args.find.safeParse(args);
    return read.success
      ? { tool: "search", pattern: read.data.pattern, within: read.data.path ?? "", unit: "path" }
      : null;
  }
  const read = tool === "ls" ? Args.ls.safeParse(args) : null;
  return read?.success === true
    ? { tool: "search", pattern: read.data.path ?? ".", within: "", unit: "entry" }
    : null;
}

const firstString = /"(?:path|command|name|query|url|pattern)"\s*:\s*("(?:[^"\\]|\\.)*"?)/;

/** What unfinished arguments already say about the call, in one line. */
export function peekArgs(text: string): string {
  const quoted = firstString.exec(text.slice(0, 4_096))?.[1];
  if (quoted === undefined) return "";
  try {
    const value: unknown = JSON.parse(quoted.length > 1 && quoted.endsWith('"') ? quoted : `${quoted}"`);
    return typeof value === "string" ? value : "";
  } catch {
    return ""; // cut inside an escape; the next delta completes it
  }
}

/** One line for a call of a tool we do not know: its first short values. */
export function summariseArgs(args: unknown): string {
  if (typeof args === "string") return args;
  if (typeof args !== "object" || args === null) return "";
  return Object.entries(args)
    .flatMap(([key, value]) =>
      typeof value === "string" || typeof value === "number" || typeof value === "boolean"
        ? [`${key}=${String(value)}`]
        : [],
    )
    .join(" ");
}
