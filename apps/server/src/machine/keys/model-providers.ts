// The providers whose keys and addresses a person can give to the server, and how each lists its models.

export interface ModelProvider {
  readonly name: string;
  /** Variables of its key; the first is the one that a key of the page is given in. */
  readonly keys: readonly [string, ...string[]] | readonly [];
  readonly url: string;
  /** Variables that belong to the address, and mean nothing with another. */
  readonly others?: readonly string[];
  /** Its own address; undefined: a server of one's own, which has none and may need no key. */
  readonly ownUrl?: string;
  /** The address of its list of models. */
  list(base: string): string;
  headers(key: string): Record<string, string>;
}

/** Null: it is no address. */
export const parseUrl = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null);

const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });
const models = (base: string): string => `${base}/models`;

export const modelProviders: readonly ModelProvider[] = [
  {
    name: "anthropic",
    keys: ["ANTHROPIC_API_KEY"],
    url: "ANTHROPIC_BASE_URL",
    ownUrl: "https://api.anthropic.com",
    list: (base) => `${base}/v1/models`,
    headers: (key) => ({ "x-api-key": key, "anthropic-version": "2023-06-01" }),
  },
  {
    name: "openai",
    keys: ["OPENAI_API_KEY"],
    url: "OPENAI_BASE_URL",
    ownUrl: "https://api.openai.com/v1",
    list: models,
    headers: bearer,
  },
  {
    name: "google",
    keys: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    url: "GOOGLE_BASE_URL",
    ownUrl: "https://generativelanguage.googleapis.com/v1beta",
    list: models,
    headers: (key) => ({ "x-goog-api-key": key }),
  },
  {
    name: "deepseek",
    keys: ["DEEPSEEK_API_KEY"],
    url: "DEEPSEEK_BASE_URL",
    ownUrl: "https://api.deepseek.com",
    list: models,
    headers: bearer,
  },
  {
    name: "openai-compatible",
    keys: ["OPENAI_COMPATIBLE_API_KEY"],
    url: "OPENAI_COMPATIBLE_BASE_URL",
    others: ["OPENAI_COMPATIBLE_MODELS"],
    list: models,
    headers: bearer,
  },
  {
    name: "ollama",
    keys: [],
    url: "OLLAMA_HOST",
    // OLLAMA_HOST may be a bare host, as the built-in agent reads it.
    list: (host) => {
      const url = parseUrl(host.includes("://") ? host : `http://${host}`);
      if (url === null) return host;
      if (url.port === "" && !host.includes("://")) url.port = "11434";
      return `${url.origin}${url.pathname.replace(/\/$/, "")}/v1/models`;
    },
    headers: () => ({}),
  },
];
