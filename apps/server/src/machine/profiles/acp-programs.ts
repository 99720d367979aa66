// Agents that speak ACP over their standard streams: the command, the environment variables, the install command, and in what
// each differs from the protocol.
import type { AgentTraits } from "../dialects/dialect.ts";
import { commonVariables } from "../processes/environment.ts";

interface AcpProgram {
  dialect: "acp";
  command: readonly [string, ...string[]];
  env: readonly string[];
  /** Directories of its own files, which must be writable in a sandbox. */
  writable?: readonly string[];
  /** The oldest Node that its newest version runs on, if that is newer than the server's (20.19). */
  node?: string;
  traits?: AgentTraits;
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
    traits: {
      provider: "google",
      readsFilesItself: true,
      keyMethods: { "gemini-api-key": ["GEMINI_API_KEY"], "vertex-ai": ["GOOGLE_API_KEY"] },
      logIn: "gemini",
    },
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
    traits: { reportsLastCall: true, logIn: "opencode auth login" },
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
    node: "22",
    traits: {
      provider: "anthropic",
      wrapsOutput: true,
      // A suggestion for the next prompt is a model call after each turn, which no viewer sees.
      openMeta: { claudeCode: { options: { promptSuggestions: false } } },
      logIn: "claude /login",
    },
    install: "npm install -g @agentclientprotocol/claude-agent-acp",
  },
  codex: {
    dialect: "acp",
    command: ["codex-acp"],
    env: [...everywhere, "OPENAI_API_KEY", "CODEX_API_KEY", "CODEX_HOME"],
    writable: ["~/.codex"],
    traits: {
      provider: "openai",
      keyMethods: { "api-key": ["CODEX_API_KEY", "OPENAI_API_KEY"] },
      warningText: /^Warning: [^]+\n\n$/,
      keepsCommands: true,
      logIn: "codex login",
    },
    install: "npm install -g @agentclientprotocol/codex-acp",
  },
  goose: {
    dialect: "acp",
    command: ["goose", "acp"],
    env: [...everywhere, ...keys, "GOOSE_PROVIDER", "GOOSE_MODEL", "GOOGLE_API_KEY", "OPENROUTER_API_KEY"],
    writable: ["~/.config/goose", "~/.local/share/goose", "~/.local/state/goose"],
    traits: {
      errorText: /^(Ran into this error[^]+\n\nPlease |[^]+\n\nPlease resend your message to try again\.$)/,
      logIn: "goose configure",
    },
    install: "curl -fsSL https://github.com/block/goose/releases/download/stable/download_cli.sh | bash",
  },
  cursor: {
    dialect: "acp",
    command: ["cursor-agent", "acp"],
    env: [...everywhere, "CURSOR_API_KEY"],
    writable: ["~/.cursor", "~/.config/cursor"],
    install: "curl https://cursor.com/install -fsS | bash",
  },
  copilot: {
    dialect: "acp",
    command: ["copilot", "--acp"],
    env: [...everywhere, "COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"],
    writable: ["~/.copilot"],
    install: "npm install -g @github/copilot",
  },
  qwen: {
    dialect: "acp",
    command: ["qwen", "--acp"],
    env: [...everywhere, "OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL", "DASHSCOPE_API_KEY"],
    writable: ["~/.qwen"],
    node: "22",
    install: "npm install -g @qwen-code/qwen-code",
  },
  kimi: {
    dialect: "acp",
    command: ["kimi", "acp"],
    env: [...everywhere, "KIMI_API_KEY", "KIMI_BASE_URL", "MOONSHOT_API_KEY"],
    writable: ["~/.kimi", "~/.kimi-code"],
    node: "22.19",
    install: "npm install -g @moonshot-ai/kimi-code",
  },
  amp: {
    dialect: "acp",
    command: ["amp-acp"],
    env: [...everywhere, "AMP_API_KEY"],
    writable: ["~/.config/amp", "~/.local/share/amp"],
    install: "npm install -g @sourcegraph/amp amp-acp",
  },
  auggie: {
    dialect: "acp",
    command: ["auggie", "--acp"],
    env: [...everywhere, "AUGMENT_SESSION_AUTH", "AUGMENT_API_TOKEN", "AUGMENT_API_URL"],
    writable: ["~/.augment"],
    install: "npm install -g @augmentcode/auggie",
  },
  hermes: {
    dialect: "acp",
    command: ["hermes", "acp"],
    env: [...everywhere, ...keys, "OPENROUTER_API_KEY", "NOUS_API_KEY", "HERMES_HOME"],
    writable: ["~/.hermes"],
    install: "uv tool install hermes-agent[acp]",
  },
  qoder: {
    dialect: "acp",
    command: ["qodercli", "--acp"],
    env: [...everywhere, "QODER_PERSONAL_ACCESS_TOKEN"],
    writable: ["~/.qoder"],
    install: "npm install -g @qoder-ai/qodercli",
  },
  droid: {
    dialect: "acp",
    command: ["droid", "exec", "--output-format", "acp"],
    env: [...everywhere, "FACTORY_API_KEY"],
    writable: ["~/.factory"],
    install: "npm install -g @factory/cli",
  },
  cline: {
    dialect: "acp",
    command: ["cline", "--acp"],
    env: [...everywhere, ...keys, "OPENROUTER_API_KEY"],
    writable: ["~/.cline"],
    install: "npm install -g cline",
  },
  kilo: {
    dialect: "acp",
    command: ["kilo", "acp"],
    env: [...everywhere, ...keys, "OPENROUTER_API_KEY", "KILO_API_KEY"],
    writable: ["~/.config/kilo", "~/.local/share/kilo", "~/.local/state/kilo", "~/.cache/kilo"],
    install: "npm install -g @kilocode/cli",
  },
  junie: {
    dialect: "acp",
    command: ["junie", "--acp=true"],
    env: [...everywhere, "JUNIE_API_KEY"],
    writable: ["~/.junie"],
    install: "npm install -g @jetbrains/junie",
  },
  vibe: {
    dialect: "acp",
    command: ["vibe-acp"],
    env: [...everywhere, "MISTRAL_API_KEY"],
    writable: ["~/.vibe"],
    install: "uv tool install mistral-vibe",
  },
};
