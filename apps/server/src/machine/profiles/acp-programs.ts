// Agents that speak ACP over their standard streams: the command, the environment variables and the install command of
// each.
import { commonVariables } from "../processes/environment.ts";

interface AcpProgram {
  dialect: "acp";
  command: readonly [string, ...string[]];
  env: readonly string[];
  /** Directories of its own files, which must be writable in a sandbox. */
  writable?: readonly string[];
  install: string;
}

const everywhere = [...commonVariables, "XDG_CONFIG_HOME", "XDG_DATA_HOME"];
const keys = ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL"];

export const acpPrograms: Readonly<Record<string, AcpProgram>> = {
  gemini: {
    dialect: "acp",
    command: ["gemini", "--acp"],
    env: [
      ...everywhere,
      "GEMINI_API_KEY",
      "GOOGLE_API_KEY",
      "GOOGLE_CLOUD_PROJECT",
      "GOOGLE_GEMINI_BASE_URL",
    ],
    writable: ["~/.gemini"],
    install: "npm install -g @google/gemini-cli",
  },
  opencode: {
    dialect: "acp",
    command: ["opencode", "acp"],
    env: [...everywhere, ...keys, "GEMINI_API_KEY", "OPENROUTER_API_KEY", "OPENCODE_CONFIG"],
    writable: [
      "~/.config/opencode",
      "~/.local/share/opencode",
      "~/.local/state/opencode",
      "~/.cache/opencode",
    ],
    install: "npm install -g opencode-ai",
  },
  claude: {
    dialect: "acp",
    command: ["claude-agent-acp"],
    env: [
      ...everywhere,
      "ANTHROPIC_API_KEY",
      "ANTHROPIC_BASE_URL",
      "ANTHROPIC_AUTH_TOKEN",
      "CLAUDE_CONFIG_DIR",
    ],
    writable: ["~/.claude"],
    install: "npm install -g @agentclientprotocol/claude-agent-acp",
  },
  codex: {
    dialect: "acp",
    command: ["codex-acp"],
    env: [...everywhere, "OPENAI_API_KEY", "CODEX_API_KEY", "CODEX_HOME"],
    writable: ["~/.codex"],
    install: "npm install -g @agentclientprotocol/codex-acp",
  },
  goose: {
    dialect: "acp",
    command: ["goose", "acp"],
    env: [...everywhere, ...keys, "GOOSE_PROVIDER", "GOOSE_MODEL", "GOOGLE_API_KEY", "OPENROUTER_API_KEY"],
    writable: ["~/.config/goose", "~/.local/share/goose", "~/.local/state/goose"],
    install: "curl -fsSL https://github.com/block/goose/releases/download/stable/download_cli.sh | bash",
  },
};
