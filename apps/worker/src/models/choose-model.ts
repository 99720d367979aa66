// Which model a worker starts with, from flags and environment. A request that cannot be met is an
// OptionsError, never another model: zot's silent fallback would spend money on the wrong one.

import { type Flags, OptionsError } from "../config/flags.ts";
import {
  howToGetAccess,
  isProviderName,
  isSelfHosted,
  type ProviderName,
  providerNames,
  providers,
} from "../config/providers.ts";
import { noKey, type ProviderAccess, type WorkerConfig } from "../config/worker-config.ts";
import { findModel, knownModels, type Model } from "./catalog.ts";

export async function chooseModel(flags: Flags, config: WorkerConfig): Promise<Model> {
  const requested = readRequested(flags);
  const provider = requested.provider ?? guessProvider(requested.id, flags, config);
  const access = accessTo(provider, flags, config);
  if (access === undefined) throw new OptionsError(howToGetAccess(provider));
  const id = requested.id ?? (await defaultModel(provider, access));
  const model = findModel(provider, id, access);
  if (model === undefined) throw new OptionsError(unknownModelError(id, provider));
  return model;
}

export const unknownModelError = (id: string, provider: ProviderName): string =>
  `unknown model "${id}" (provider="${provider}")`;

/** `provider/model`, where the model's own name may hold slashes too. */
export function splitModel(text: string): { provider: ProviderName; id: string } | undefined {
  const slash = text.indexOf("/");
  const name = text.slice(0, Math.max(0, slash));
  return isProviderName(name) ? { provider: name, id: text.slice(slash + 1) } : undefined;
}

function readRequested(flags: Flags): { provider?: ProviderName; id?: string } {
  const { provider, model } = flags;
  if (provider !== undefined && !isProviderName(provider)) {
    throw new OptionsError(`unknown provider "${provider}"; use one of ${providerNames.join(", ")}`);
  }
  const split = model === undefined ? undefined : splitModel(model);
  if (split !== undefined && (provider === undefined || provider === split.provider)) return split;
  return {
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { id: model }),
  };
}

function guessProvider(id: string | undefined, flags: Flags, config: WorkerConfig): ProviderName {
  if (flags.baseUrl !== undefined) return "openai-compatible";
  const usable = providerNames.filter((name) => config.access.has(name));
  if (id === undefined) return usable[0] ?? "demo";
  const knows = (name: ProviderName): boolean =>
    knownModels(name, config.access.get(name) ?? { apiKey: "" }).some((model) => model.id === id);
  // A provider that knows the model but has no key is still the best guess: its error names the variable to set.
  return usable.find(knows) ?? providerNames.find(knows) ?? usable.find(isSelfHosted) ?? usable[0] ?? "demo";
}

function accessTo(provider: ProviderName, flags: Flags, config: WorkerConfig): ProviderAccess | undefined {
  const given = config.access.get(provider);
  const apiKey =
    flags.apiKey ?? given?.apiKey ?? (flags.baseUrl && isSelfHosted(provider) ? noKey : undefined);
  const baseUrl = flags.baseUrl ?? given?.baseUrl;
  if (apiKey === undefined || (isSelfHosted(provider) && baseUrl === undefined)) return undefined;
  return {
    apiKey,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(given?.models === undefined ? {} : { models: given.models }),
  };
}

async function defaultModel(provider: ProviderName, access: ProviderAccess): Promise<string> {
  const fixed = providers.find((known) => known.name === provider)?.defaultModel ?? access.models?.[0];
  if (fixed !== undefined) return fixed;
  const { listSelfHosted } = await import("./self-hosted.ts");
  const listed = await listSelfHosted(access);
  if (listed.ok && listed.ids[0] !== undefined) return listed.ids[0];
  throw new OptionsError(
    `no model named for ${provider}, and ${access.baseUrl ?? "it"} ${listed.ok ? "lists none" : listed.problem}; pass --model`,
  );
}
