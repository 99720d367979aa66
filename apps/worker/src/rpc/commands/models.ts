// Commands that choose the model.
import type { Conversation } from "../../agent/conversation/conversation.ts";
import type { TurnModes } from "../../agent/conversation/turn-modes.ts";
import type { TurnQueue } from "../../agent/prompts/turn-queue.ts";
import { isProviderName } from "../../config/providers.ts";
import type { WorkerConfig } from "../../config/worker-config.ts";
import { findModel, type Model, toModelInfo } from "../../models/catalog.ts";
import { splitModel, unknownModelError } from "../../models/choose-model.ts";
import { modelsOf, usableModels } from "../../models/self-hosted.ts";
import { thinkingLevelsOf } from "../../models/thinking.ts";
import type { SettingsRegistry } from "../../output/settings-registry.ts";
import { busyError, type CommandOf, type Handlers } from "../exchange.ts";

type ModelType = "get_models" | "get_available_models" | "set_model" | "cycle_model";

interface ModelParts {
  readonly conversation: Conversation;
  readonly turns: TurnQueue;
  readonly modes: TurnModes;
  readonly settings: SettingsRegistry;
  readonly access: WorkerConfig["access"];
}

export function modelHandlers({
  conversation,
  turns,
  modes,
  settings,
  access: allAccess,
}: ModelParts): Handlers<ModelType> {
  return {
    async get_models(_command, { succeed }) {
      const { provider, access } = conversation.model;
      succeed({ models: (await modelsOf(provider, access)).map(toModelInfo) });
    },
    async get_available_models(_command, { succeed }) {
      succeed({ models: (await usableModels(allAccess)).map(describe) });
    },
    set_model(command, { succeed, fail }) {
      if (turns.busy) return fail(busyError);
      const { model = "", modelId } = command;
      const problem =
        modelId === undefined ? changeModel(conversation, allAccess, model) : setOmpModel(command);
      if (problem !== null) return fail(problem);
      settings.changed();
      const { provider, id } = conversation.model;
      succeed({ model: id, provider });
    },
    async cycle_model(_command, { succeed, fail }) {
      if (turns.busy) return fail(busyError);
      const models = await usableModels(allAccess);
      if (turns.busy) return fail(busyError);
      const { provider, id } = conversation.model;
      const at = models.findIndex((model) => model.provider === provider && model.id === id);
      const next = models[(at + 1) % models.length];
      if (next === undefined || models.length < 2) return succeed(null);
      conversation.model = next;
      settings.changed();
      succeed({ model: describe(next), thinkingLevel: modes.thinkingLevel, isScoped: false });
    },
  };

  function setOmpModel({ provider, modelId = "" }: CommandOf<"set_model">): string | null {
    const name = provider ?? conversation.model.provider;
    const access =
      name === conversation.model.provider
        ? conversation.model.access
        : isProviderName(name)
          ? allAccess.get(name)
          : undefined;
    const found = isProviderName(name) && access ? findModel(name, modelId, access) : undefined;
    if (found === undefined) return `Model not found: ${name}/${modelId}`;
    conversation.model = found;
    return null;
  }
}

/** zot's fields, and beside them omp's names for the same. */
const describe = (model: Model): object => ({
  ...toModelInfo(model),
  name: model.entry?.name ?? model.id,
  contextWindow: model.contextWindow,
  maxTokens: model.maxOutput,
  thinking_levels: thinkingLevelsOf(model),
});

/** A model of the same provider, as in zot; or `provider/model` where this worker has the access.
 * Returns what is wrong, or null when it was set. */
export function changeModel(
  conversation: Conversation,
  allAccess: WorkerConfig["access"],
  name: string,
): string | null {
  const { provider, access } = conversation.model;
  const other = splitModel(name);
  const otherAccess = other && (other.provider === provider ? access : allAccess.get(other.provider));
  const found =
    findModel(provider, name, access) ??
    (other && otherAccess && findModel(other.provider, other.id, otherAccess));
  if (!found) return unknownModelError(name, provider);
  conversation.model = found;
  return null;
}
