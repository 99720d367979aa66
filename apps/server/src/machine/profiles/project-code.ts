// Files of a directory through which a known agent runs code, or starts programs, that came with the directory. Taken from
// each program's source or documentation: zot 0.1.62, pi 0.74 to 1.5, omp 18.3, gemini-cli 0.61, Claude Code behind
// claude-agent-acp 0.99, codex 2026-08, opencode 1.18. goose reads texts only (.goosehints, recipes that a person runs).
// Instructions, skills and prompts are text that only the model reads: they start no program, so they are not listed.
import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

interface ProjectCode {
  /** Relative to the directory. */
  readonly paths: readonly string[];
  /** The program also looks in the directories above, up to the repository's root. */
  readonly upward: boolean;
  /** Arguments that disable some of the paths. */
  readonly without?: { readonly arguments: readonly string[]; readonly covers: readonly string[] };
}

const list = (text: string): string[] => text.split(/\s+/);

const claude = list(".claude/settings.json .claude/settings.local.json .mcp.json");
const codex = list(".codex/config.toml .codex/hooks.json .codex/hooks .codex/rules");
const gemini = list(".gemini/settings.json .gemini/extensions .gemini/hooks .gemini/.env");
const opencode =
  list(`opencode.json opencode.jsonc .opencode/opencode.json .opencode/opencode.jsonc .opencode/package.json
  .opencode/plugin .opencode/plugins .opencode/tool .opencode/tools`);

const programs: Readonly<Record<string, ProjectCode>> = {
  zot: {
    paths: [".zot/extensions"],
    upward: false,
    without: { arguments: ["--no-ext"], covers: [".zot/extensions"] },
  },
  pi: {
    // Packages that settings name are installed with their scripts at the start, and settings name the shell.
    paths: list(".pi/extensions .pi/settings.json .pi/mcp.json .pi/npm .pi/git"),
    upward: false,
    without: { arguments: ["--no-extensions"], covers: [".pi/extensions"] },
  },
  omp: {
    // It takes over what a directory has for other agents: MCP servers, hooks and tools.
    paths: [
      ...list(`.omp/extensions .omp/hooks .omp/tools .omp/plugins .omp/settings.json .omp/config.yml .omp/mcp.json .omp/.mcp.json
        .omp/lsp.json .omp/ssh.json .claude/hooks .claude/tools .claude/extensions .claude/mcp.json .claude/.mcp.json
        .codex/tools .codex/extensions .cursor/mcp.json .vscode/mcp.json .windsurf/mcp_config.json mcp.json lsp.json .lsp.json`),
      ...claude,
      ...codex,
      ...gemini,
      ...opencode,
    ],
    upward: true,
    without: {
      arguments: ["--no-extensions"],
      covers: list(".omp/extensions .claude/extensions .codex/extensions"),
    },
  },
  gemini: { paths: gemini, upward: true },
  opencode: { paths: opencode, upward: true },
  claude: { paths: claude, upward: true },
  codex: { paths: codex, upward: true },
  goose: { paths: [], upward: false },
};

/** Of the agents without a list of their own (cursor, copilot, qwen, kimi, …). Not checked against each program: a path too many only asks. */
const others =
  list(`.cursor/mcp.json .cursor/hooks.json .cursor/cli.json .vscode/mcp.json .copilot/mcp-config.json .github/hooks
  .qwen/settings.json .qwen/extensions .qwen/hooks .qwen/.env .kimi/mcp.json .kimi-code/mcp.json .kimi-code/config.toml
  .amp/settings.json crush.json .crush.json .augment/settings.json .augment/settings.local.json .hermes/config.yaml
  .qoder/settings.json .factory/mcp.json .factory/settings.json .factory/hooks .cline/mcp.json .cline/hooks .clinerules/hooks
  kilo.json kilo.jsonc .kilo/kilo.json .kilo/plugin .kilo/tool .kilocode/mcp.json .junie/mcp .vibe/config.toml`);

/** For an ACP agent without a list of its own: what any agent would run. */
const anyAgent: ProjectCode = {
  paths: [...new Set([...claude, ...codex, ...gemini, ...opencode, ...others])],
  upward: true,
};

const aliases: readonly (readonly [RegExp, string])[] = [
  [/claude(-code|-agent)?-acp$/, "claude"],
  [/codex-acp$/, "codex"],
  [/gemini(-cli)?$/, "gemini"],
  [/opencode(-ai)?$/, "opencode"],
  [/goose$/, "goose"],
];

const byDialect: Readonly<Record<string, ProjectCode | undefined>> = {
  zot: programs["zot"],
  pi: programs["pi"],
  omp: programs["omp"],
  acp: anyAgent,
};

interface Program {
  readonly name: string;
  readonly dialect: { readonly name: string };
  readonly command: readonly string[];
}

function codeOf({ name, dialect, command }: Program): ProjectCode | undefined {
  const named = programs[name];
  if (named !== undefined) return named;
  const called = command
    .map((word) => basename(word).replace(/@[\d.]+$|@latest$/, ""))
    .map((word) => aliases.find(([pattern]) => pattern.test(word))?.[1])
    .find((found) => found !== undefined);
  if (called !== undefined) return programs[called];
  return byDialect[dialect.name];
}

export interface FoundCode {
  /** As shown to a person. */
  readonly paths: readonly string[];
  /** Arguments that keep all of them from running; undefined: there are none. */
  readonly without: readonly string[] | undefined;
}

/** The code of the directory that the program would run; null: none. */
export function findProjectCode(program: Program, cwd: string): FoundCode | null {
  const code = codeOf(program);
  if (code === undefined) return null;
  const { without } = code;
  const found = directoriesOf(cwd, code.upward).flatMap((directory) =>
    code.paths.filter((path) => isThere(join(directory, path))).map((path) => ({ directory, path })),
  );
  if (found.length === 0) return null;
  const isCovered = without !== undefined && found.every(({ path }) => without.covers.includes(path));
  return {
    paths: found.map(({ directory, path }) => (directory === cwd ? path : join(directory, path))),
    without: isCovered ? without.arguments : undefined,
  };
}

/** Bounds the search for the repository's root. */
const maxDepth = 64;

/** The directory, and those above it up to the root of its repository; without one, itself alone. */
function directoriesOf(cwd: string, upward: boolean): string[] {
  const above: string[] = [];
  let directory = realpathSync(cwd);
  for (let depth = 0; upward && depth < maxDepth && dirname(directory) !== directory; depth++) {
    if (lstatSync(join(directory, ".git"), { throwIfNoEntry: false }) !== undefined) return [cwd, ...above];
    directory = dirname(directory);
    above.push(directory);
  }
  return [cwd];
}

/** An empty directory runs nothing. A directory that cannot be read may run something. */
function isThere(path: string): boolean {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return false;
    return !stats.isDirectory() || readdirSync(path).length > 0;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ENOTDIR");
  }
}
