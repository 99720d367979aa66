// Commands that choose the model.
import type { Agent } from "../../agent/agent.ts";
import type { Conversation } from "../../agent/conversation.ts";
import { findModel, toModelInfo } from "../../models/catalog.ts";
import { splitModel, unknownModel } from "../../models/choose.ts";
import { modelsOf } from "../../models/self-hosted.ts";
import { busyError, type Handlers } from "../exchange.ts";

export function modelCommands(agent: Agent): Handlers<"get_models" | "set_model"> {
  const { conversation, turns } = agent;
  return {
    async get_models(_command, { succeed }) {
      const { provider, access } = conversation.model;
      succeed({ models: (await modelsOf(provider, access)).map(toModelInfo) });
    },
    set_model(command, { succeed, fail }) {
      if (turns.busy) return fail(busyError);
      const problem = chooseModel(conversation, command.model);
      if (problem !== null) return fail(problem);
      succeed({ model: conversation.model.id });
    },
  };
}

/** A model of the same provider, as in zot; or `provider/model` where this worker has the access.
 * What is wrong, or null when it was done. */
export function chooseModel(conversation: Conversation, name: string): string | null {
  const { provider, access } = conversation.model;
  const other = splitModel(name);
  const otherAccess = other && conversation.config.access.get(other.provider);
  const found =
    findModel(provider, name, access) ??
    (other && otherAccess && findModel(other.provider, other.id, otherAccess));
  if (!found) return unknownModel(name, provider);
  conversation.model = found;
  return null;
}
