// Where programs keep their sessions, and the files that are there. Nothing else is ever read: no link is followed, and
// what is found lies in one of these directories.
import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../../diagnostics/error-code.ts";
import { readClaudeRow } from "./claude-rows.ts";
import { readPiRow } from "./pi-rows.ts";
import type { RowReader } from "./recorded-call.ts";
import { readZotRow } from "./zot-rows.ts";

export type ProgramName = "zot" | "pi" | "omp" | "claude";

export interface Place {
  program: ProgramName;
  root: string;
}

export interface PlacedFile {
  path: string;
  bytes: number;
  modified: number;
  /** Not a session of a person's but of one of its helpers. */
  nested: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

export const rowReaders: Readonly<Record<ProgramName, RowReader>> = {
  zot: readZotRow,
  pi: readPiRow,
  omp: readPiRow,
  claude: readClaudeRow,
};

/** With `from`, another home directory (a backup, say) is looked into, and what variables name is not. */
export function placesOf(environment: Environment, from?: string): Place[] {
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

/** `<root>/<directory>/<file>.jsonl`; what its helpers wrote lies deeper. */
const deepest = 4;
/** Years of work; more are no one's sessions. */
const mostFiles = 200_000;

export async function filesIn({ root }: Place): Promise<PlacedFile[]> {
  const found: PlacedFile[] = [];
  // Home directories are made of links in some places; inside of it none is followed.
  const real = await realpath(root).catch(() => undefined);
  if (real !== undefined) await walk(real, 1, found);
  return found;
}

async function walk(directory: string, depth: number, found: PlacedFile[]): Promise<void> {
  for (const entry of await entriesOf(directory)) {
    if (found.length >= mostFiles) return;
    const path = join(directory, entry.name);
    if (entry.isDirectory() && depth < deepest) await walk(path, depth + 1, found);
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
