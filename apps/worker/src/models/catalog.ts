// The models we know, with their limits and prices, from pi-ai's catalog. Only data is imported
// here: the code that talks to providers loads with the first call.

import type { Api, Model as CatalogModel } from "@earendil-works/pi-ai";
import { ANTHROPIC_MODELS } from "@earendil-works/pi-ai/providers/anthropic.models";
import { DEEPSEEK_MODELS } from "@earendil-works/pi-ai/providers/deepseek.models";
import { GOOGLE_MODELS } from "@earendil-works/pi-ai/providers/google.models";
import { OPENAI_MODELS } from "@earendil-works/pi-ai/providers/openai.models";
import type { ModelInfo } from "@patchbay/protocol";
import { isSelfHosted, type ProviderName } from "../config/providers.ts";
import type { ProviderAccess } from "../config/worker-config.ts";
import { demoModel } from "./demo-model.ts";

/** A model that can be called: what is known of it and how its provider is reached. */
export interface Model {
  readonly provider: ProviderName;
  readonly id: string;
  /** 0: unknown. */
  readonly contextWindow: number;
  readonly maxOutput: number;
  readonly reasoning: boolean;
  readonly access: ProviderAccess;
  /** The library's own description; null for the demo and for models of no catalog. */
  readonly entry: CatalogModel<Api> | null;
}

/** Rates of 0 are unknown ones. */
export const isPriced = ({ entry }: Model): boolean =>
  entry !== null && (entry.cost.input > 0 || entry.cost.output > 0);

/** Live audio and image models cannot run an agent. */
const unfit = /realtime|-live-|-image|deep-research|computer-use/;

const catalogs: Partial<Record<ProviderName, readonly CatalogModel<Api>[]>> = {
  anthropic: Object.values(ANTHROPIC_MODELS),
  openai: Object.values(OPENAI_MODELS),
  google: Object.values(GOOGLE_MODELS),
  deepseek: Object.values(DEEPSEEK_MODELS),
};

const entriesOf = (provider: ProviderName): CatalogModel<Api>[] =>
  (catalogs[provider] ?? []).filter((entry) => !unfit.test(entry.id));

export function knownModels(provider: ProviderName, access: ProviderAccess): Model[] {
  if (provider === "demo") {
    const { id, contextWindow, maxOutput } = demoModel;
    return [{ provider, id, contextWindow, maxOutput, reasoning: true, access, entry: null }];
  }
  if (isSelfHosted(provider)) return (access.models ?? []).map((id) => selfHosted(provider, id, access));
  return entriesOf(provider).map((entry) => ({
    provider,
    id: entry.id,
    contextWindow: entry.contextWindow,
    maxOutput: entry.maxTokens,
    reasoning: entry.reasoning,
    access,
    entry,
  }));
}

/** Nothing is known of such a model but its name: no limits, no price. */
export const selfHosted = (provider: ProviderName, id: string, access: ProviderAccess): Model => ({
  provider,
  id,
  contextWindow: 0,
  maxOutput: 0,
  reasoning: false,
  access,
  entry: null,
});

/** A self-hosted server without a list may have any model; if it has not, the call fails with the server's own error. */
export function findModel(provider: ProviderName, id: string, access: ProviderAccess): Model | undefined {
  const known = knownModels(provider, access).find((model) => model.id === id);
  if (known !== undefined || !isSelfHosted(provider)) return known;
  return (access.models ?? []).length === 0 && id !== "" ? selfHosted(provider, id, access) : undefined;
}

export const toModelInfo = (model: Model): ModelInfo => ({
  id: model.id,
  provider: model.provider,
  context_window: model.contextWindow,
  max_output: model.maxOutput,
  reasoning: model.reasoning,
});
