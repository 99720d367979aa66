// The providers: where each one's key comes from and which model it starts with.
// The order is the order of preference when no provider is named; the demo comes last.
import type { ProviderInfo } from "@patchbay/protocol";

export const providerNames = [
  "anthropic",
  "openai",
  "google",
  "deepseek",
  "openai-compatible",
  "ollama",
  "demo",
] as const;
export type ProviderName = (typeof providerNames)[number];

export interface Provider {
  readonly name: ProviderName;
  /** Environment variables that may hold its key, first found wins. */
  readonly keys: readonly string[];
  readonly baseUrl?: string;
  readonly defaultModel?: string;
}

export const providers: readonly Provider[] = [
  {
    name: "anthropic",
    keys: ["ANTHROPIC_API_KEY"],
    baseUrl: "ANTHROPIC_BASE_URL",
    defaultModel: "claude-sonnet-5",
  },
  { name: "openai", keys: ["OPENAI_API_KEY"], baseUrl: "OPENAI_BASE_URL", defaultModel: "gpt-5.5" },
  {
    name: "google",
    keys: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    baseUrl: "GOOGLE_BASE_URL",
    defaultModel: "gemini-3.1-pro-preview",
  },
  {
    name: "deepseek",
    keys: ["DEEPSEEK_API_KEY"],
    baseUrl: "DEEPSEEK_BASE_URL",
    defaultModel: "deepseek-v4-pro",
  },
  { name: "openai-compatible", keys: ["OPENAI_COMPATIBLE_API_KEY"], baseUrl: "OPENAI_COMPATIBLE_BASE_URL" },
  { name: "ollama", keys: [], baseUrl: "OLLAMA_HOST" },
  { name: "demo", keys: [], defaultModel: "offline-demo" },
];

export const isProviderName = (name: string): name is ProviderName =>
  providerNames.some((known) => known === name);

/** A server of the user's own: its models are not in any catalog. */
export const isSelfHosted = (name: ProviderName): boolean =>
  name === "openai-compatible" || name === "ollama";

/** What a person has to do to use a provider that has no access yet. */
export function howToGetAccess(name: ProviderName): string {
  const provider = providers.find((known) => known.name === name);
  if (name === "openai-compatible")
    return "no base URL for openai-compatible; set OPENAI_COMPATIBLE_BASE_URL or pass --base-url";
  if (name === "ollama") return "no address for ollama; set OLLAMA_HOST or pass --base-url";
  return `no credential for ${name}; set ${provider?.keys[0] ?? "its key"} or pass --api-key`;
}

/** Whose models can be used, and what would have to be set for the others. The demo needs nothing. */
export const listProviders = (access: ReadonlyMap<ProviderName, unknown>): ProviderInfo[] =>
  providers
    .filter(({ name }) => name !== "demo")
    .map(({ name, keys, baseUrl }) => ({
      name,
      available: access.has(name),
      variables: isSelfHosted(name) ? [baseUrl ?? "", ...keys] : [...keys],
    }));
