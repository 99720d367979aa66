// Which model an agent uses and which others it offers. Newer agents report models as one of the session's options. Older
// ones (gemini-cli) report them as `models`, which the SDK no longer knows.
import type { ModelInfo } from "@patchbay/protocol";
import * as z from "zod/mini";
import { type AgentChoice, hasOptions, readChoice } from "./options.ts";
import type { AcpClient } from "./rpc-client.ts";

const WithModels = z.looseObject({
  models: z.looseObject({
    currentModelId: z.string(),
    availableModels: z.array(z.looseObject({ modelId: z.string(), name: z.string() })),
  }),
});

/** Reads the response that opened a session, or an update of its options. Undefined: it contains no models. */
export function readModels(source: unknown): AgentChoice | undefined {
  const option = readChoice(source, "model");
  if (option !== undefined) return option;
  const models = WithModels.safeParse(source).data?.models;
  return (
    models && {
      current: models.currentModelId,
      offered: models.availableModels.map(({ modelId, name }) => ({ id: modelId, name })),
      optionId: undefined,
    }
  );
}

/** The models after an update of the session's options. Models that came as `models` are not among the options and stay. */
export const updateModels = (before: AgentChoice | undefined, update: unknown): AgentChoice | undefined =>
  readModels(update) ?? (before?.optionId === undefined || !hasOptions(update) ? before : undefined);

export const modelInfos = (models: AgentChoice | undefined, provider: string): ModelInfo[] =>
  (models?.offered ?? []).map(({ id, name }) => ({
    ...{ id, provider, name },
    ...{ context_window: 0, max_output: 0, reasoning: false },
  }));

/** Finds a model by its id, alone or after the name of a provider: the agent's own name, or any other. */
export function findAgentModel(models: AgentChoice, provider: string, wanted: string): string | undefined {
  const ids = models.offered.map(({ id }) => id);
  const names = [wanted, ...(wanted.startsWith(`${provider}/`) ? [wanted.slice(provider.length + 1)] : [])];
  const short = wanted.slice(wanted.indexOf("/") + 1);
  return [...names, short].find((name) => ids.includes(name));
}

/** Returns what the agent reports of its options then; undefined: nothing. */
export async function selectModel(
  client: AcpClient,
  sessionId: string,
  models: AgentChoice,
  id: string,
): Promise<unknown> {
  if (models.optionId !== undefined)
    return client.request("session/set_config_option", { sessionId, configId: models.optionId, value: id });
  await client.requestOther("session/set_model", { sessionId, modelId: id });
  return undefined;
}
