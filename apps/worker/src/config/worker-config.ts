// What the worker takes from its environment; no other file reads process.env.
// Everything secret is removed from process.env as it is read, so that neither a library nor a
// child process can read it later.
import { homedir } from "node:os";
import { join } from "node:path";
import { type ProviderName, providers } from "./providers.ts";

/** How a provider is reached. */
export interface ProviderAccess {
  readonly apiKey: string;
  readonly baseUrl?: string;
  /** The models a person listed for a server of their own. */
  readonly models?: readonly string[];
}

export interface WorkerConfig {
  /** Empty: every caller is trusted. */
  readonly rpcToken: string;
  readonly access: ReadonlyMap<ProviderName, ProviderAccess>;
  /** Patchbay's home directory, unless a flag overrides it. */
  readonly home: string;
  /** zot's own home, whose extensions run here too. */
  readonly zotHome: string | undefined;
  /** What config files of MCP servers may refer to. */
  readonly mcpVariables: Readonly<Record<string, string>>;
  /** The whole environment of the commands that the bash tool starts. */
  readonly shellEnv: Readonly<Record<string, string>>;
  /** How long the demo model waits before each delta; tests set it to 0. */
  readonly demoDelayMs: number;
  /** The first pause before a failed model call is tried again; tests set it to 1. */
  readonly retryDelayMs: number;
}

type Environment = Record<string, string | undefined>;

/** `secrets` count as if they stood in the environment. */
export function readWorkerConfig(own: Environment, secrets: Environment): WorkerConfig {
  const env = { ...own, ...secrets };
  const shellEnv = pickShellEnv(env);
  const config: WorkerConfig = {
    rpcToken: env["ZOTCORE_RPC_TOKEN"] ?? "",
    access: readAccess(env),
    home: env["PATCHBAY_HOME"] || join(env["HOME"] || homedir(), ".patchbay"),
    zotHome: env["ZOT_HOME"] || undefined,
    mcpVariables: { ...shellEnv, ...pick(env, (name) => name.startsWith("MCP_")) },
    shellEnv,
    demoDelayMs: Number(env["PATCHBAY_DEMO_DELAY_MS"] ?? 9) || 0,
    retryDelayMs: Number(env["PATCHBAY_RETRY_DELAY_MS"]) || 1_000,
  };
  for (const name of Object.keys(own)) if (!isForShells(name)) delete own[name];
  return config;
}

function readAccess(env: Environment): Map<ProviderName, ProviderAccess> {
  const access = new Map<ProviderName, ProviderAccess>();
  for (const { name, keys, baseUrl } of providers) {
    const apiKey = keys.map((key) => env[key]).find(Boolean);
    const url = baseUrl === undefined ? undefined : env[baseUrl];
    if (apiKey !== undefined && name !== "openai-compatible") {
      access.set(name, { apiKey, ...(url ? { baseUrl: url } : {}) });
    }
  }
  const compatible = env["OPENAI_COMPATIBLE_BASE_URL"];
  if (compatible) {
    const models = (env["OPENAI_COMPATIBLE_MODELS"] ?? "").split(",").map((id) => id.trim());
    access.set("openai-compatible", {
      apiKey: env["OPENAI_COMPATIBLE_API_KEY"] || noKey,
      baseUrl: compatible,
      models: models.filter((id) => id !== ""),
    });
  }
  const ollama = env["OLLAMA_HOST"];
  if (ollama) access.set("ollama", { apiKey: noKey, baseUrl: ollamaUrl(ollama) });
  access.set("demo", { apiKey: noKey });
  return access;
}

/** Local servers need no key, but the libraries require one. */
export const noKey = "none";

/** OLLAMA_HOST may be a bare host, with or without a port. */
function ollamaUrl(host: string): string {
  const url = new URL(host.includes("://") ? host : `http://${host}`);
  if (url.port === "" && !host.includes("://")) url.port = "11434";
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  return `${url.origin}${url.pathname.replace(/\/$/, "")}/v1`;
}

/** What builds, version managers and git need. Everything else may be a secret, so it stays out. */
const shellNames: ReadonlySet<string> = new Set(
  `PATCHBAY_WORKER PATH HOME LANG LANGUAGE TERM COLORTERM TMPDIR TZ USER LOGNAME SHELL PWD HOSTNAME
   XDG_RUNTIME_DIR XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME
   SSH_AUTH_SOCK NVM_DIR JAVA_HOME GOPATH GOROOT CARGO_HOME RUSTUP_HOME VIRTUAL_ENV`.split(/\s+/),
);

const isForShells = (name: string): boolean => shellNames.has(name) || name.startsWith("LC_");

function pickShellEnv(env: Environment): Record<string, string> {
  // There is no terminal: a pager or a password prompt would wait for ever.
  return { ...pick(env, isForShells), PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0" };
}

function pick(env: Environment, wanted: (name: string) => boolean): Record<string, string> {
  const entries = Object.entries(env).filter(([name]) => wanted(name));
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
