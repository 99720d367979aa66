// The format of a repository's objects and refs, read from its config file as text: git itself would follow includes and
// apply settings that name programs. Only the few keys that decide whether its files can be understood are read.
import { join } from "node:path";
import { readBoundedText } from "../files/read-bounded.ts";
import type { ObjectFormat } from "./own-repository.ts";

export interface RepositoryFormat {
  objects: ObjectFormat;
  /** Why the server cannot write its files, for a person; undefined: it can. */
  foreign?: string;
  /** The working tree that the config names, as that of a submodule does. */
  workTree?: string;
}

/** Configs of thousands of remotes are smaller. */
const maxConfigBytes = 1024 * 1024;
/** Extensions that do not affect the files that the server reads and writes. */
const understood = new Set([
  "noop",
  "noop-v1",
  "preciousobjects",
  "partialclone",
  "worktreeconfig",
  "relativeworktrees",
]);

/** `common` is the git directory that all worktrees share. */
export function formatOf(common: string): RepositoryFormat {
  const text = readBoundedText(join(common, "config"), maxConfigBytes);
  if (text === undefined) return { objects: "sha1", foreign: "its config cannot be read" };
  const values = keysOf(text);
  const objects = values.get("extensions.objectformat")?.toLowerCase() === "sha256" ? "sha256" : "sha1";
  const workTree = values.get("core.worktree");
  const foreign = problemOf(values);
  return {
    objects,
    ...(foreign === undefined ? {} : { foreign }),
    ...(workTree === undefined ? {} : { workTree }),
  };
}

function problemOf(values: ReadonlyMap<string, string>): string | undefined {
  const version = values.get("core.repositoryformatversion") ?? "0";
  if (version !== "0" && version !== "1") return `its format has the version ${JSON.stringify(version)}`;
  const references = values.get("extensions.refstorage")?.toLowerCase() ?? "files";
  if (references !== "files") return `it keeps its branches as ${JSON.stringify(references)}, not as files`;
  for (const key of values.keys()) {
    const extension = /^extensions\.(.+)$/.exec(key)?.[1];
    if (extension === undefined || understood.has(extension)) continue;
    if (extension !== "objectformat" && extension !== "refstorage")
      return `it uses the extension ${JSON.stringify(extension)}`;
  }
  const format = values.get("extensions.objectformat")?.toLowerCase() ?? "sha1";
  return format === "sha1" || format === "sha256" ? undefined : `its objects are ${JSON.stringify(format)}`;
}

/** `section.key` in lower case to the last value; sections with a subsection are ignored. */
function keysOf(text: string): Map<string, string> {
  const values = new Map<string, string>();
  let section: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const header = /^\s*\[\s*([A-Za-z0-9.-]+)\s*("[^"]*")?\s*\](.*)$/.exec(line);
    if (header !== null) section = header[2] === undefined ? header[1]?.toLowerCase() : undefined;
    const rest = header === null ? line : (header[3] ?? "");
    const pair = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$/.exec(rest);
    if (section === undefined || pair === null) continue;
    values.set(`${section}.${pair[1]?.toLowerCase()}`, valueOf(pair[2] ?? "true"));
  }
  return values;
}

/** The value without quotes, escapes and a trailing comment. */
function valueOf(text: string): string {
  let value = "";
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') quoted = !quoted;
    else if (character === "\\") value += text.charAt(++at);
    else if (!quoted && (character === "#" || character === ";")) break;
    else value += character;
  }
  return value.trim();
}
