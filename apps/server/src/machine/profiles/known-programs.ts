// Coding agents that need no profile in the config file: the command, the environment variables and the install command of
// each.
import type { DialectName } from "../dialects/dialect.ts";
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
  install: string;
}

/** The keys that pi and omp read. */
const piVariables = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_OAUTH_TOKEN",
  "OPENAI_API_KEY",
  "GEMINI_API_KEY",
  "GROQ_API_KEY",
  "XAI_API_KEY",
  "OPENROUTER_API_KEY",
  "MISTRAL_API_KEY",
  "DEEPSEEK_API_KEY",
  "CEREBRAS_API_KEY",
  "ZAI_API_KEY",
  "LC_ALL",
  "USER",
  "SHELL",
  "NODE_EXTRA_CA_CERTS",
];

export const knownPrograms: Readonly<Record<string, KnownProgram>> = {
  zot: {
    dialect: "zot",
    command: ["zot", "rpc"],
    env: [
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
    env: [...piVariables, "OMP_CODING_AGENT_DIR", "PI_CODING_AGENT_DIR", "PI_OFFLINE"],
    writable: ["~/.omp"],
    install: "npm install -g bun @oh-my-pi/pi-coding-agent",
  },
  ...acpPrograms,
};
