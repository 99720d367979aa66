// What people call the agents and providers, and what each is.

const agents: Readonly<Record<string, readonly [name: string, what: string]>> = {
  builtin: ["Built-in agent", "Ships with Patchbay; works with any model below, or with the offline demo."],
  zot: ["zot", "A small agent in Go; Patchbay speaks its protocol."],
  pi: ["pi", "The agent of earendil-works, with its own extensions and models."],
  omp: ["oh-my-pi", "pi with more: subagents, LSP, a browser of its own."],
  zeroclaw: ["zeroclaw", "A daemon that runs anyway; Patchbay joins it through its socket."],
  gemini: ["Gemini CLI", "Google's agent, over ACP."],
  opencode: ["opencode", "An open agent for many models, over ACP."],
  claude: ["Claude Code", "Anthropic's agent, through its ACP adapter."],
  codex: ["Codex", "OpenAI's agent, through its ACP adapter."],
  goose: ["goose", "Block's agent, over ACP."],
};

const providers: Readonly<Record<string, string>> = {
  anthropic: "Anthropic",
  openai: "OpenAI",
  google: "Google",
  deepseek: "DeepSeek",
  "openai-compatible": "Any OpenAI-compatible server",
  ollama: "Ollama, on your own machine",
};

export const agentName = (name: string): string => agents[name]?.[0] ?? name;
export const agentDescription = (name: string, dialect: string): string =>
  agents[name]?.[1] ?? `Named in your config file; speaks ${dialect}.`;
export const providerName = (name: string): string => providers[name] ?? name;

/** An example in place of the person's own value. */
export const exampleOf = (variable: string): string =>
  variable === "OLLAMA_HOST" ? "http://127.0.0.1:11434" : variable.endsWith("_URL") ? "http://…/v1" : "…";
