// The provider library that the built-in worker uses, pointed at a fake model server: one entry per
// wire format. If these can read the fake, the fake is faithful enough for the worker's tests.
import { type Api, type Context, normalizeContext, type StreamOptions } from "@earendil-works/pi-ai";
import * as anthropic from "@earendil-works/pi-ai/api/anthropic-messages";
import * as google from "@earendil-works/pi-ai/api/google-generative-ai";
import * as completions from "@earendil-works/pi-ai/api/openai-completions";
import * as responses from "@earendil-works/pi-ai/api/openai-responses";

type Options = Pick<StreamOptions, "signal" | "maxRetries" | "apiKey">;

const card = <A extends Api>(api: A, provider: string, id: string, baseUrl: string) => ({
  id,
  name: id,
  api,
  provider,
  baseUrl,
  reasoning: true,
  input: ["text" as const],
  cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  contextWindow: 200_000,
  maxTokens: 8192,
});

const chat = (provider: string, path: string) => ({
  name: `${provider} chat completions`,
  provider,
  /** OpenAI does not show reasoning in chat completions. */
  thinks: provider !== "openai",
  /** Who reports writes to the cache; elsewhere they are input. */
  countsCacheWrites: provider !== "deepseek",
  stream: (base: string, context: Context, options: Options) =>
    completions.stream(
      card("openai-completions" as const, provider, "fake-chat", `${base}${path}`),
      normalizeContext(context),
      options,
    ),
});

export const piProviders = [
  {
    name: "anthropic messages",
    provider: "anthropic",
    thinks: true,
    countsCacheWrites: true,
    stream: (base: string, context: Context, options: Options) =>
      anthropic.stream(
        card("anthropic-messages" as const, "anthropic", "fake-claude", `${base}/anthropic`),
        normalizeContext(context),
        options,
      ),
  },
  {
    name: "openai responses",
    provider: "openai",
    thinks: true,
    countsCacheWrites: true,
    stream: (base: string, context: Context, options: Options) =>
      responses.stream(
        card("openai-responses" as const, "openai", "fake-gpt", `${base}/openai/v1`),
        normalizeContext(context),
        options,
      ),
  },
  chat("openai", "/openai/v1"),
  chat("deepseek", "/deepseek"),
  chat("deepseek", "/deepseek/v1"),
  chat("compatible", "/compatible/v1"),
  chat("ollama", "/ollama/v1"),
  {
    name: "google gemini",
    provider: "google",
    thinks: true,
    countsCacheWrites: false,
    stream: (base: string, context: Context, options: Options) =>
      google.stream(
        card("google-generative-ai" as const, "google", "fake-gemini", `${base}/google/v1beta`),
        normalizeContext(context),
        options,
      ),
  },
];

export type PiProvider = (typeof piProviders)[number];
