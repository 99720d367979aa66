// Written by `npm run conformance`: which version of each real agent has played the suite last, and what it said that it can do.

interface TestedAgent {
  readonly version: string;
  readonly capabilities: readonly string[];
}

export const testedAgents: Readonly<Record<string, TestedAgent>> = {
  claude: {
    version: "0.100.0",
    capabilities: [
      "commands",
      "thinking",
      "set_model",
      "thinking_levels",
      "steer",
      "images",
      "compact",
      "restore",
      "settings",
    ],
  },
  codex: {
    version: "2.6.0",
    capabilities: [
      "commands",
      "thinking",
      "set_model",
      "thinking_levels",
      "steer",
      "images",
      "compact",
      "restore",
      "settings",
    ],
  },
  gemini: {
    version: "0.61.0",
    capabilities: ["commands", "thinking", "set_model", "images", "restore", "settings"],
  },
  omp: {
    version: "18.2.3",
    capabilities: [
      "thinking",
      "images",
      "context_window",
      "steer",
      "follow_up",
      "thinking_levels",
      "models",
      "set_model",
      "compact",
      "auto_compaction",
      "auto_retry",
      "branch",
      "bash",
      "stats",
      "export_html",
      "sessions",
      "commands",
      "session_name",
      "extensions",
      "interrupt_mode",
    ],
  },
  opencode: {
    version: "1.18.33",
    capabilities: ["commands", "thinking", "set_model", "images", "restore", "settings"],
  },
  pi: {
    version: "0.87.1",
    capabilities: [
      "thinking",
      "images",
      "context_window",
      "steer",
      "follow_up",
      "thinking_levels",
      "models",
      "set_model",
      "compact",
      "auto_compaction",
      "auto_retry",
      "branch",
      "bash",
      "stats",
      "export_html",
      "sessions",
      "commands",
      "session_name",
      "extensions",
    ],
  },
  zot: { version: "0.0.0", capabilities: ["compact", "set_model", "images"] },
};
