// A model as pi-ai wants it: the catalog's entry with our base URL, or, for a server of the user's
// own, a description that assumes only what every OpenAI-compatible server understands.
import type { Api, Model as CatalogModel } from "@earendil-works/pi-ai";
import type { Model } from "../catalog.ts";

export function toPiModel(model: Model): CatalogModel<Api> {
  const baseUrl = model.access.baseUrl;
  if (model.entry !== null) return baseUrl === undefined ? model.entry : { ...model.entry, baseUrl };
  const plain: CatalogModel<"openai-completions"> = {
    id: model.id,
    name: model.id,
    api: "openai-completions",
    provider: model.provider,
    baseUrl: baseUrl ?? "",
    reasoning: false,
    input: ["text", "image"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 0,
    maxTokens: 0,
    compat: {
      supportsStore: false,
      supportsDeveloperRole: false,
      supportsReasoningEffort: false,
      maxTokensField: "max_tokens",
      supportsLongCacheRetention: false,
    },
  };
  return { ...plain, api: plain.api };
}
