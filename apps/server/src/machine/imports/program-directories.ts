// The directories in which programs keep their sessions, and the files in them. Imports read no other files: links are not
// followed, so every file lies in one of these directories.
import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../../diagnostics/error-code.ts";
import { readClaudeRow } from "./claude-rows.ts";
import { readPiRow } from "./pi-rows.ts";
import type { RowReader } from "./recorded-call.ts";
import { readZotRow } from "./zot-rows.ts";

export type ProgramName = "zot" | "pi" | "omp" | "claude";

export interface ProgramDirectory {
  program: ProgramName;
  root: string;
}

export interface SessionFileInfo {
  path: string;
  bytes: number;
  modified: number;
  /** The session of a subagent, not of a person. */
  nested: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

export const rowReaders: Readonly<Record<ProgramName, RowReader>> = {
  zot: readZotRow,
  pi: readPiRow,
  omp: readPiRow,
  claude: readClaudeRow,
};

/** `from`: another home directory (a backup, say). Directories that environment variables name are ignored then. */
export function programDirectories(environment: Environment, from?: string): ProgramDirectory[] {
  const env: Environment = from === undefined ? environment : { HOME: from };
  const home = env["HOME"] ?? "";
  const inHome = (...parts: string[]): string => join(home, ...parts);
  const named = (name: string, ...others: string[]): string[] => {
    const value = env[name];
    return value === undefined || value === "" ? others : [value];
  };
  const state = named("XDG_STATE_HOME", inHome(".local", "state")).map((root) => join(root, "zot"));
  const roots: Record<ProgramName, string[]> = {
    zot: named("ZOT_HOME", ...state, inHome("Library", "Application Support", "zot")),
    pi: named("PI_CODING_AGENT_DIR", inHome(".pi", "agent")),
    omp: named("OMP_CODING_AGENT_DIR", inHome(".omp", "agent")),
    claude: named("CLAUDE_CONFIG_DIR", inHome(".claude"), inHome(".config", "claude")),
  };
  const programs: ProgramName[] = ["zot", "pi", "omp", "claude"];
  return programs.flatMap((program) =>
    roots[program].map((root) => ({
      program,
      root: join(root, program === "claude" ? "projects" : "sessions"),
    })),
  );
}

/** Sessions are `<root>/<directory>/<file>.jsonl`; those of subagents lie deeper. */
const maxDepth = 4;
/** More than years of work leave. */
const maxFiles = 200_000;

export async function filesIn({ root }: ProgramDirectory): Promise<SessionFileInfo[]> {
  const found: SessionFileInfo[] = [];
  // The root itself may be a link, as home directories sometimes are. Inside of it no link is followed.
  const real = await realpath(root).catch(() => undefined);
  if (real !== undefined) await walk(real, 1, found);
  return found;
}

async function walk(directory: string, depth: number, found: SessionFileInfo[]): Promise<void> {
  for (const entry of await entriesOf(directory)) {
    if (found.length >= maxFiles) return;
    const path = join(directory, entry.name);
    if (entry.isDirectory() && depth < maxDepth) await walk(path, depth + 1, found);
    if (!entry.isFile() || !entry.name.endsWith(".jsonl")) continue;
    const facts = await stat(path).catch(() => undefined); // gone meanwhile
    if (facts !== undefined)
      found.push({ path, bytes: facts.size, modified: facts.mtimeMs, nested: depth > 2 });
  }
}

async function entriesOf(directory: string) {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EACCES" || code === "EPERM") return [];
    throw error;
  }
}
