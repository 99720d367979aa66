// Commands that choose the model.
import type { Agent } from "../../agent/agent.ts";
import type { Conversation } from "../../agent/conversation/conversation.ts";
import { isProviderName } from "../../config/providers.ts";
import { findModel, type Model, toModelInfo } from "../../models/catalog.ts";
import { splitModel, unknownModel } from "../../models/choose.ts";
import { modelsOf, usableModels } from "../../models/self-hosted.ts";
import { thinkingLevelsOf } from "../../models/thinking.ts";
import { busyError, type CommandOf, type Handlers } from "../exchange.ts";

type ModelType = "get_models" | "get_available_models" | "set_model" | "cycle_model";

export function modelCommands(agent: Agent): Handlers<ModelType> {
  const { conversation, turns, config } = agent;
  return {
    async get_models(_command, { succeed }) {
      const { provider, access } = conversation.model;
      succeed({ models: (await modelsOf(provider, access)).map(toModelInfo) });
    },
    async get_available_models(_command, { succeed }) {
      succeed({ models: (await usableModels(config)).map(describe) });
    },
    set_model(command, { succeed, fail }) {
      if (turns.busy) return fail(busyError);
      const { model = "", modelId } = command;
      const problem = modelId === undefined ? chooseModel(conversation, model) : chooseOmp(command);
      if (problem !== null) return fail(problem);
      agent.settings.changed();
      const { provider, id } = conversation.model;
      succeed({ model: id, provider });
    },
    async cycle_model(_command, { succeed, fail }) {
      if (turns.busy) return fail(busyError);
      const models = await usableModels(config);
      if (turns.busy) return fail(busyError);
      const { provider, id } = conversation.model;
      const at = models.findIndex((model) => model.provider === provider && model.id === id);
      const next = models[(at + 1) % models.length];
      if (next === undefined || models.length < 2) return succeed(null);
      conversation.model = next;
      agent.settings.changed();
      succeed({ model: describe(next), thinkingLevel: agent.modes.thinkingLevel, isScoped: false });
    },
  };

  function chooseOmp({ provider, modelId = "" }: CommandOf<"set_model">): string | null {
    const name = provider ?? conversation.model.provider;
    const access =
      name === conversation.model.provider
        ? conversation.model.access
        : isProviderName(name)
          ? config.access.get(name)
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
 * What is wrong, or null when it was done. */
export function chooseModel(conversation: Conversation, name: string): string | null {
  const { provider, access } = conversation.model;
  const other = splitModel(name);
  const otherAccess =
    other && (other.provider === provider ? access : conversation.config.access.get(other.provider));
  const found =
    findModel(provider, name, access) ??
    (other && otherAccess && findModel(other.provider, other.id, otherAccess));
  if (!found) return unknownModel(name, provider);
  conversation.model = found;
  return null;
}
