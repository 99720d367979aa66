// The directories in which programs keep their sessions, and the files in them. Imports read no other files: links are not
// followed, so every file lies in one of these directories.
import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../../diagnostics/error-code.ts";
import { readClaudeRow } from "./formats/claude-rows.ts";
import { readCodexRow } from "./formats/codex-rows.ts";
import { readGeminiRow } from "./formats/gemini-rows.ts";
import { readOpencodeRow } from "./formats/opencode-rows.ts";
import { readPiRow } from "./formats/pi-rows.ts";
import type { RowReader } from "./formats/recorded-call.ts";
import { readZotRow } from "./formats/zot-rows.ts";

export type ProgramName = "zot" | "pi" | "omp" | "claude" | "codex" | "gemini" | "opencode";

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
  codex: readCodexRow,
  gemini: readGeminiRow,
  opencode: readOpencodeRow,
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
  const below = (roots: readonly string[], ...parts: string[]): string[] =>
    roots.map((root) => join(root, ...parts));
  const codex = named("CODEX_HOME", inHome(".codex"));
  const roots: Record<ProgramName, string[]> = {
    zot: below(named("ZOT_HOME", ...state, inHome("Library", "Application Support", "zot")), "sessions"),
    pi: below(named("PI_CODING_AGENT_DIR", inHome(".pi", "agent")), "sessions"),
    omp: below(named("OMP_CODING_AGENT_DIR", inHome(".omp", "agent")), "sessions"),
    claude: below(named("CLAUDE_CONFIG_DIR", inHome(".claude"), inHome(".config", "claude")), "projects"),
    codex: [...below(codex, "sessions"), ...below(codex, "archived_sessions")],
    gemini: below(named("GEMINI_CLI_HOME", home), ".gemini", "tmp"),
    opencode: below(named("XDG_DATA_HOME", inHome(".local", "share")), "opencode"),
  };
  const programs: ProgramName[] = ["zot", "pi", "omp", "claude", "codex", "gemini", "opencode"];
  return programs.flatMap((program) => roots[program].map((root) => ({ program, root })));
}

/** Sessions are `<root>/<directory>/<file>.jsonl`; those of subagents and of their workflows lie deeper. */
const maxDepth = 12;
/** More than years of work leave. */
const maxFiles = 200_000;

/** Sorted by path: of copies the original, which is older, usually comes first. */
export async function filesIn({ program, root }: ProgramDirectory): Promise<SessionFileInfo[]> {
  // The root itself may be a link, as home directories sometimes are. Inside of it no link is followed.
  const real = await realpath(root).catch(() => undefined);
  if (real === undefined) return [];
  if (program === "opencode") return opencodeSources(real);
  const found: SessionFileInfo[] = [];
  await walk(real, 1, found, isSessionFile[program]);
  return found;
}

type FileFilter = (parts: readonly string[]) => boolean;

const endsWith =
  (...endings: string[]): FileFilter =>
  (parts) =>
    endings.some((ending) => parts.at(-1)?.endsWith(ending));

/** By the path below the root. */
const isSessionFile: Readonly<Record<Exclude<ProgramName, "opencode">, FileFilter>> = {
  zot: endsWith(".jsonl"),
  pi: endsWith(".jsonl"),
  omp: endsWith(".jsonl"),
  claude: endsWith(".jsonl"),
  codex: endsWith(".jsonl", ".jsonl.zst"),
  // Other directories there have checkpoints, logs and the output of tools.
  gemini: (parts) => parts[1] === "chats" && endsWith(".json", ".jsonl")(parts),
};

/** Its databases (a channel has its own), and a directory of messages for each session of earlier versions. */
async function opencodeSources(root: string): Promise<SessionFileInfo[]> {
  const databases = (await entriesOf(root)).filter(
    (entry) => entry.isFile() && /^opencode(-[\w.-]+)?\.db$/.test(entry.name),
  );
  const messages = join(root, "storage", "message");
  const sessions = (await isRealDirectory(root, "storage", "message"))
    ? (await entriesOf(messages)).filter((entry) => entry.isDirectory())
    : [];
  const paths = [
    ...databases.map(({ name }) => join(root, name)),
    // The ids of sessions descend with time.
    ...sessions.map(({ name }) => join(messages, name)).toReversed(),
  ];
  const found: SessionFileInfo[] = [];
  for (const path of paths.slice(0, maxFiles)) {
    const facts = await stat(path).catch(() => undefined); // gone meanwhile
    if (facts !== undefined) found.push({ path, bytes: facts.size, modified: facts.mtimeMs, nested: false });
  }
  return found;
}

async function isRealDirectory(root: string, ...parts: string[]): Promise<boolean> {
  const path = join(root, ...parts);
  return (await realpath(path).catch(() => undefined)) === path;
}

async function walk(
  directory: string,
  depth: number,
  found: SessionFileInfo[],
  isWanted: FileFilter,
  parts: readonly string[] = [],
): Promise<void> {
  for (const entry of await entriesOf(directory)) {
    if (found.length >= maxFiles) return;
    const path = join(directory, entry.name);
    const below = [...parts, entry.name];
    if (entry.isDirectory() && depth < maxDepth) await walk(path, depth + 1, found, isWanted, below);
    if (!entry.isFile() || !isWanted(below)) continue;
    const facts = await stat(path).catch(() => undefined); // gone meanwhile
    if (facts !== undefined)
      found.push({ path, bytes: facts.size, modified: facts.mtimeMs, nested: depth > 2 });
  }
}

async function entriesOf(directory: string) {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EACCES" || code === "EPERM") return [];
    throw error;
  }
}
