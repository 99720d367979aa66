// The usual config files of MCP servers, read into what is to be started or called. A person's own file
// goes first, so that a project can neither replace a server of theirs nor bring back one they disabled.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { explain } from "@patchbay/protocol";
import * as z from "zod/mini";
import { configPaths } from "./config-paths.ts";
import { expand, type Variables } from "./expand.ts";

export type TransportSpec =
  | {
      readonly kind: "stdio";
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd: string;
    }
  | { readonly kind: "http"; readonly url: URL; readonly headers: Readonly<Record<string, string>> };

export interface ServerSpec {
  readonly name: string;
  readonly file: string;
  /** Of the working directory: starts only when a person has trusted it. */
  readonly project: boolean;
  readonly callMs: number;
  readonly transport: TransportSpec;
}

/** Builds and searches of other people's servers take minutes; a person can abort at any time. */
const callMs = 600_000;
/** Longer timers overflow. */
const maxMs = 2 ** 31 - 1;
/** It becomes part of tool names and of a log's name. */
const nameShape = /^[A-Za-z0-9_-]{1,40}$/;

const StringMap = z.record(z.string(), z.string());
const Entry = z.looseObject({
  type: z.optional(z.string()),
  command: z.optional(z.string().check(z.minLength(1))),
  args: z.optional(z.array(z.string())),
  env: z.optional(StringMap),
  cwd: z.optional(z.string()),
  url: z.optional(z.string()),
  headers: z.optional(StringMap),
  disabled: z.optional(z.boolean()),
  /** Milliseconds that one call may take without progress. */
  timeout: z.optional(z.number().check(z.minimum(1), z.maximum(maxMs))),
});
type Entry = z.infer<typeof Entry>;
const ConfigFile = z.looseObject({ mcpServers: z.record(z.string(), z.unknown()) });

export async function readServerConfig(
  cwd: string,
  home: string,
  variables: Variables,
  problem: (message: string) => void,
): Promise<ServerSpec[]> {
  const found = new Map<string, ServerSpec | null>();
  for (const { path, project } of configPaths(cwd, home)) {
    for (const [name, value] of await entriesIn(path, problem)) {
      if (found.has(name)) continue;
      try {
        const entry = readEntry(name, value);
        found.set(name, null); // a disabled one keeps its name taken
        if (entry.disabled) continue;
        const transport = transportOf(entry, cwd, variables);
        found.set(name, { name, file: path, project, callMs: entry.timeout ?? callMs, transport });
      } catch (error) {
        problem(`${path}: mcpServers.${name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
  return [...found.values()].filter((spec) => spec !== null);
}

async function entriesIn(path: string, problem: (message: string) => void): Promise<[string, unknown][]> {
  try {
    const file = ConfigFile.safeParse(JSON.parse(await readFile(path, "utf8")));
    if (!file.success) throw new Error(explain(file.error));
    return Object.entries(file.data.mcpServers);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    problem(`${path} cannot be used: ${error instanceof Error ? error.message : String(error)}`);
    return [];
  }
}

function readEntry(name: string, value: unknown): Entry {
  if (!nameShape.test(name)) throw new Error(`a name has at most 40 letters, digits, "-" and "_"`);
  const entry = Entry.safeParse(value);
  if (!entry.success) throw new Error(explain(entry.error));
  return entry.data;
}

function transportOf(entry: Entry, cwd: string, variables: Variables): TransportSpec {
  const expanded = (text: string): string => expand(text, variables);
  const all = (record: Readonly<Record<string, string>> = {}): Record<string, string> =>
    Object.fromEntries(Object.entries(record).map(([name, text]) => [name, expanded(text)]));
  if (entry.type === "sse")
    throw new Error(
      `"sse" is no longer a transport of MCP; give its streamable HTTP address as "url" with "type": "http"`,
    );
  if (entry.command !== undefined && entry.url !== undefined)
    throw new Error(`give either "command" or "url", not both`);
  if (entry.command !== undefined) {
    return {
      kind: "stdio",
      command: expanded(entry.command),
      args: (entry.args ?? []).map(expanded),
      env: all(entry.env),
      cwd: resolve(cwd, expanded(entry.cwd ?? ".")),
    };
  }
  if (entry.url === undefined) throw new Error(`it needs a "command" to start or a "url" to call`);
  return { kind: "http", url: httpUrl(expanded(entry.url)), headers: all(entry.headers) };
}

function httpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Error(`url must be an http or https address`);
  return url;
}
