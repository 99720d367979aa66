// What people call the agents and the model providers. Names of products are the same in every language.
import { formatTexts } from "./texts.ts";

const agents: Readonly<Record<string, string>> = {
  omp: "oh-my-pi",
  gemini: "Gemini CLI",
  claude: "Claude Code",
  codex: "Codex",
};

const providers: Readonly<Record<string, string>> = {
  anthropic: "Anthropic",
  openai: "OpenAI",
  google: "Google",
  deepseek: "DeepSeek",
  ollama: "Ollama",
  openrouter: "OpenRouter",
  mistral: "Mistral",
  groq: "Groq",
  xai: "xAI",
};

/** By its name in the config file and on the wire. */
export const agentName = (name: string): string =>
  name === "builtin" ? formatTexts.builtInAgent : Object.hasOwn(agents, name) ? (agents[name] ?? name) : name;

export function providerName(name: string): string {
  if (name === "openai-compatible") return formatTexts.compatibleServer;
  if (name === "demo") return formatTexts.demoProvider;
  return Object.hasOwn(providers, name) ? (providers[name] ?? name) : name;
}
