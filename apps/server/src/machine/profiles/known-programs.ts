// Coding agents that need no profile in the config file: the command, the environment variables and the install command of
// each.
import type { AgentTraits, DialectName } from "../dialects/dialect.ts";
import { commonVariables } from "../processes/environment.ts";
import { acpPrograms } from "./acp-programs.ts";

export interface KnownProgram {
  dialect: DialectName;
  command: readonly [string, ...string[]];
  /** The command for older versions, which do not know the first. */
  fallback?: readonly [string, ...string[]];
  env: readonly string[];
  /** Directories of its own files, which must be writable in a sandbox. */
  writable?: readonly string[];
  /** The oldest Node that the program's newest version runs on, if that is newer than the server's (20.19). */
  node?: string;
  traits?: AgentTraits;
  install: string;
}

/** What pi and omp read: the keys of their providers, and where those are. */
const piVariables = [
  ...commonVariables,
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "ANTHROPIC_OAUTH_TOKEN",
  "ANT_LING_API_KEY",
  "AI_GATEWAY_API_KEY",
  "AWS_*",
  "AZURE_OPENAI_*",
  "BASETEN_API_KEY",
  "CEREBRAS_API_KEY",
  "CLOUDFLARE_*",
  "COPILOT_GITHUB_TOKEN",
  "DEEPSEEK_API_KEY",
  "FIREWORKS_API_KEY",
  "GCLOUD_PROJECT",
  "GEMINI_API_KEY",
  "GITLAB_TOKEN",
  "GOOGLE_APPLICATION_CREDENTIALS",
  "GOOGLE_CLOUD_*",
  "GROQ_API_KEY",
  "HF_TOKEN",
  "KIMI_API_KEY",
  "META_API_KEY",
  "MINIMAX_API_KEY",
  "MINIMAX_CN_API_KEY",
  "MISTRAL_API_KEY",
  "MOONSHOT_API_KEY",
  "NVIDIA_API_KEY",
  "OPENAI_API_KEY",
  "OPENCODE_API_KEY",
  "OPENROUTER_API_KEY",
  "QWEN_TOKEN_PLAN_*",
  "RADIUS_API_KEY",
  "TOGETHER_API_KEY",
  "XAI_API_KEY",
  "XAI_OAUTH_TOKEN",
  "XIAOMI_*",
  "ZAI_API_KEY",
  "ZAI_CODING_CN_API_KEY",
  "PI_CACHE_RETENTION",
];

export const knownPrograms: Readonly<Record<string, KnownProgram>> = {
  zot: {
    dialect: "zot",
    command: ["zot", "rpc"],
    env: [
      ...commonVariables,
      "ANTHROPIC_API_KEY",
      "OPENAI_API_KEY",
      "KIMI_API_KEY",
      "MOONSHOT_API_KEY",
      "ZOT_HOME",
      "XDG_STATE_HOME",
    ],
    writable: ["~/.local/state/zot"],
    install: "go install github.com/patriceckhart/zot/cmd/zot@latest",
  },
  pi: {
    dialect: "pi",
    command: ["pi", "--mode", "rpc"],
    env: [...piVariables, "PI_CODING_AGENT_DIR", "PI_OFFLINE"],
    writable: ["~/.pi"],
    node: "22.19",
    install: "npm install -g @earendil-works/pi-coding-agent",
  },
  omp: {
    dialect: "omp",
    // `rpc-ui` keeps the tools that ask a person; the page can answer them.
    command: ["omp", "--mode", "rpc-ui"],
    fallback: ["omp", "--mode", "rpc"],
    env: [
      ...piVariables,
      "ANTHROPIC_FOUNDRY_API_KEY",
      "BRAVE_API_KEY",
      "FIRECRAWL_API_KEY",
      "JINA_API_KEY",
      "TINYFISH_API_KEY",
      "OMP_*",
      "PI_CODING_AGENT_DIR",
      "PI_OFFLINE",
    ],
    writable: ["~/.omp"],
    install: "npm install -g bun @oh-my-pi/pi-coding-agent",
  },
  ...acpPrograms,
};
