// The real programs, where they are installed: found in .cache/agents (`npm run agents`), in the directory that
// PATCHBAY_AGENTS names, where Go puts what it installs, or in PATH. Each knows the fake model, and no other.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import type { replyByScene } from "@patchbay/testing/by-scene";
import type { FakeModel } from "@patchbay/testing/fake-model";
import { type RunningServer, repository, startServer } from "@patchbay/testing/server-process";

export const realAgents = ["pi", "omp", "zot", "gemini", "opencode", "claude", "codex", "goose"] as const;
export type RealAgent = (typeof realAgents)[number];

/** Where the program is called differently. */
const programNames: Partial<Record<RealAgent | "bun", string>> = {
  claude: "claude-agent-acp",
  codex: "codex-acp",
};

/** How a model runs a command with it, where that differs from the built-in agent. */
export const shellOf: Partial<Record<RealAgent, Parameters<typeof replyByScene>[0]>> = {
  gemini: { tool: "run_shell_command", asks: () => "touch asked" },
  opencode: { tool: "bash", asks: () => "touch asked" },
  claude: { tool: "Bash", asks: () => "touch asked" },
  codex: {
    tool: "exec_command",
    asks: () => "touch asked",
    // It asks only before a command that its model wants to run outside its sandbox.
    args: (cmd) => ({
      cmd,
      ...(cmd === "touch asked"
        ? { sandbox_permissions: "require_escalated", justification: "Touch a file?" }
        : {}),
    }),
  },
};

const agents = join(repository, ".cache/agents");
const given = process.env["PATCHBAY_AGENTS"];
const directories = [
  ...(given === undefined ? [] : [given]),
  join(agents, `node_modules/opencode-${process.platform}-${process.arch}/bin`),
  join(agents, "node_modules/.bin"),
  join(agents, "bin"),
  join(homedir(), "go/bin"),
  ...(process.env["PATH"] ?? "").split(delimiter),
];

/** Where it is; without it, why its tests are skipped is said. */
export function findAgent(name: RealAgent | "bun"): string | undefined {
  const found = directories
    .map((directory) => join(directory, programNames[name] ?? name))
    .find((path) => existsSync(path));
  if (found === undefined) {
    const how =
      name === "goose" ? "no package of npm has it; put it in PATH" : `"npm run agents ${name}" does it`;
    process.stderr.write(`${name} is not installed: ${how}. Its tests are skipped.\n`);
  }
  return found;
}

/**
 * An extension of pi and omp that asks before it lets a command of the conformance suite run, and that lets the program
 * say something that nobody knows.
 */
const gate = `import { writeSync } from "node:fs";
export default function (pi) {
  pi.on("before_agent_start", (event) => {
    if (event.prompt.includes('"newer":true')) writeSync(1, '{"type":"from_the_future","field":1}\\n');
  });
  pi.on("tool_call", async (event, ctx) => {
    const asked = /^echo asked (\\w+)/.exec(event.input?.command ?? "");
    if (asked === null) return undefined;
    const limit = asked[1] === "true" ? {} : { timeout: Number(asked[1]) };
    const allowed = await ctx.ui.confirm("Allow tool?", event.input.command, limit);
    return allowed ? undefined : { block: true, reason: "Blocked by the person" };
  });
}
`;

/** pi 0.74.2 tells it on stderr. */
export function versionOf(program: string): string {
  const own = packageVersion(program);
  if (own !== undefined) return own;
  const { stdout, stderr } = spawnSync(program, ["--version"], { encoding: "utf8", env: withAgents() });
  return /\d+\.\d+\.\d+/.exec(`${stdout} ${stderr}`)?.[0] ?? "";
}

/** Of the npm package that the program is in: adapters report the version of what they adapt, or none. */
function packageVersion(program: string): string | undefined {
  for (let path = dirname(realpathSync(program)); path !== dirname(path); path = dirname(path)) {
    const file = join(path, "package.json");
    if (!existsSync(file)) continue;
    const { version } = JSON.parse(readFileSync(file, "utf8")) as { version?: string };
    if (version !== undefined) return version;
  }
  return undefined;
}

const withAgents = () => ({
  ...process.env,
  PATH: `${join(agents, "node_modules/.bin")}:${process.env["PATH"] ?? ""}`,
});

/** A home in which the program knows the fake model, and no other. */
function homeFor(name: RealAgent, model: FakeModel): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-test-")));
  if (name === "gemini") {
    mkdirSync(join(home, ".gemini"));
    // Without a model of its own it asks another one first which to take.
    const settings = {
      security: { auth: { selectedType: "gemini-api-key" } },
      model: { name: "gemini-2.5-pro" },
    };
    writeFileSync(join(home, ".gemini", "settings.json"), JSON.stringify(settings));
  }
  if (name === "opencode") {
    const directory = join(home, ".config/opencode");
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, "opencode.json"), JSON.stringify(openCodeSettings(model)));
  }
  if (name === "codex") {
    mkdirSync(join(home, ".codex"));
    mkdirSync(join(home, "tmp"));
    writeFileSync(join(home, ".codex/config.toml"), codexSettings(model));
  }
  if (name !== "pi" && name !== "omp") return home;
  const agent = join(home, `.${name}/agent`);
  mkdirSync(join(agent, "extensions"), { recursive: true });
  writeFileSync(join(agent, "extensions/gate.ts"), gate);
  const chat = {
    id: "fake-chat",
    name: "Fake",
    reasoning: true,
    input: ["text"],
    // A megabyte must fit: they compact by themselves when it does not.
    contextWindow: 2_000_000,
    maxTokens: 16_384,
    cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  };
  const provider = {
    baseUrl: `${model.baseUrl}/compatible/v1`,
    api: "openai-completions",
    apiKey: "sk-fake",
    compat: { supportsDeveloperRole: false, supportsReasoningEffort: false, supportsStore: false },
    models: [chat],
  };
  const models = JSON.stringify({ providers: { fake: provider } }); // JSON is YAML, too
  writeFileSync(join(agent, name === "pi" ? "models.json" : "models.yml"), models);
  // Otherwise they refuse to compact what is shorter than a novel.
  const compaction = { keepRecentTokens: 1 };
  if (name === "pi") writeFileSync(join(agent, "settings.json"), JSON.stringify({ compaction }));
  if (name === "omp") {
    const settings = { modelRoles: { default: "fake/fake-chat" }, compaction };
    writeFileSync(join(agent, "config.yml"), JSON.stringify(settings));
  }
  return home;
}

const codexVariables = (home: string) => ({
  OPENAI_API_KEY: "not-a-real-key",
  // Its adapter sets approvals and sandbox with each prompt. In its default mode a model answers for the person.
  INITIAL_AGENT_MODE: "workspace-write",
  // In a home below the directory for temporary files it does not set up its sandbox, and then no command runs.
  TMPDIR: join(home, "tmp"),
});

const codexSettings = (model: FakeModel): string => `model = "gpt-5.5"
model_provider = "fake"
model_context_window = 2000000
[model_providers.fake]
name = "Fake"
base_url = "${model.baseUrl}/openai/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1
`;

const openCodeSettings = (model: FakeModel) => ({
  autoupdate: false,
  share: "disabled",
  model: "fake/fake-chat",
  small_model: "fake/fake-chat",
  permission: { bash: { "*": "allow", "touch *": "ask" } },
  provider: {
    fake: {
      npm: "@ai-sdk/openai-compatible",
      options: { baseURL: `${model.baseUrl}/compatible/v1`, apiKey: "sk-fake" },
      models: {
        "fake-chat": {
          name: "Fake",
          limit: { context: 2_000_000, output: 16_384 },
          cost: { input: 3, output: 15 },
          reasoning: true,
          tool_call: true,
        },
      },
    },
  },
});

function commandOf(name: RealAgent, program: string, model: FakeModel): string[] {
  switch (name) {
    case "pi":
      return [program, "--mode", "rpc"];
    case "omp":
      return [findAgent("bun") ?? "bun", program, "--mode", "rpc-ui"];
    case "zot":
      // With a key in its environment it would look up the provider's models, at the provider.
      return [
        ...[program, "rpc", "--no-ext", "--base-url", `${model.baseUrl}/anthropic`],
        ...["--api-key", "not-a-real-key"],
      ];
    case "gemini":
      return [program, "--acp"];
    case "opencode":
    case "goose":
      return [program, "acp"];
    case "claude":
    case "codex":
      return [program];
  }
}

/** codex makes these as mount points of its sandbox and leaves them. An empty `.git` there makes /tmp look like a repository. */
const mountPoints = [".git", ".codex", ".agents", ".aws"].map((name) => join("/tmp", name));

function removeEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // It was not made, or something is in it, which is not codex's.
  }
}

/** `profile` adds to the worker's, `webhooks` are of the server's config. */
export async function startRealAgent(
  name: RealAgent,
  program: string,
  model: FakeModel,
  { profile = {}, webhooks = [] }: { profile?: object; webhooks?: object[] } = {},
): Promise<RunningServer> {
  const home = homeFor(name, model);
  const env = {
    PI_OFFLINE: "1",
    ANTHROPIC_API_KEY: "not-a-real-key",
    ...(name === "claude" ? { ANTHROPIC_BASE_URL: `${model.baseUrl}/anthropic` } : {}),
    ...(name === "codex" ? codexVariables(home) : {}),
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    GEMINI_API_KEY: "not-a-real-key",
    GOOGLE_GEMINI_BASE_URL: `${model.baseUrl}/google`,
    // It would look for models and for programs to download.
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
  };
  const left = name === "codex" ? mountPoints.filter((path) => !existsSync(path)) : [];
  const server = await startServer({
    home,
    config: {
      default_worker: name,
      workers: {
        [name]: {
          command: commandOf(name, program, model),
          env: name === "zot" ? [] : Object.keys(env),
          ...profile,
        },
      },
      webhooks,
      limits: { worker_start_ms: 90_000, worker_pool: 0, worker_abort_ms: 8_000 },
    },
    env: { ...env, PATH: withAgents().PATH, HOOK_SECRET: "whsec_c2VjcmV0IG9mIHRoZSBob29r" },
  });
  const dispose = server[Symbol.asyncDispose].bind(server);
  server[Symbol.asyncDispose] = async () => {
    await dispose();
    for (const path of left) removeEmpty(path);
  };
  return server;
}
