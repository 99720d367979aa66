// Which model an agent uses and which others it offers. Newer agents report models as one of the session's options. Older
// ones (gemini-cli) report them as `models`, which the SDK no longer knows.
import type { ModelInfo } from "@patchbay/protocol";
import * as z from "zod/mini";
import type { AcpClient } from "./rpc-client.ts";

const Choice = z.looseObject({ value: z.string(), name: z.string() });
const Group = z.looseObject({ options: z.array(Choice) });
const Option = z.looseObject({
  id: z.string(),
  category: z.nullish(z.string()),
  currentValue: z.optional(z.unknown()),
  options: z.optional(z.array(z.union([Group, Choice]))),
});
const WithOptions = z.looseObject({ configOptions: z.array(z.catch(z.nullable(Option), null)) });
const WithModels = z.looseObject({
  models: z.looseObject({
    currentModelId: z.string(),
    availableModels: z.array(z.looseObject({ modelId: z.string(), name: z.string() })),
  }),
});

export interface AgentModels {
  readonly current: string | undefined;
  readonly offered: readonly { readonly id: string; readonly name: string }[];
  /** The id of the option that selects the model. Undefined: the agent has a separate method for it. */
  readonly optionId: string | undefined;
}

/** Reads the response that opened a session, or an update of its options. Undefined: it contains no models. */
export function readModels(source: unknown): AgentModels | undefined {
  const options = WithOptions.safeParse(source).data?.configOptions ?? [];
  const option = options.find((each) => each?.category === "model");
  if (option !== undefined && option !== null) {
    const choices = (option.options ?? []).flatMap((item) => Group.safeParse(item).data?.options ?? item);
    return {
      current: typeof option.currentValue === "string" ? option.currentValue : undefined,
      offered: choices.flatMap((choice) => {
        const { data } = Choice.safeParse(choice);
        return data === undefined ? [] : [{ id: data.value, name: data.name }];
      }),
      optionId: option.id,
    };
  }
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
export const updateModels = (before: AgentModels | undefined, update: unknown): AgentModels | undefined =>
  readModels(update) ?? (before?.optionId === undefined ? before : undefined);

export const modelInfos = (models: AgentModels | undefined, provider: string): ModelInfo[] =>
  (models?.offered ?? []).map(({ id, name }) => ({
    ...{ id, provider, name },
    ...{ context_window: 0, max_output: 0, reasoning: false },
  }));

/** Finds a model by its id, alone or after the name of a provider: the agent's own name, or any other. */
export function findAgentModel(models: AgentModels, provider: string, wanted: string): string | undefined {
  const ids = models.offered.map(({ id }) => id);
  const names = [wanted, ...(wanted.startsWith(`${provider}/`) ? [wanted.slice(provider.length + 1)] : [])];
  const short = wanted.slice(wanted.indexOf("/") + 1);
  return [...names, short].find((name) => ids.includes(name));
}

export async function selectModel(
  client: AcpClient,
  sessionId: string,
  models: AgentModels,
  id: string,
): Promise<AgentModels> {
  const chosen = { ...models, current: id };
  if (models.optionId === undefined) {
    await client.requestOther("session/set_model", { sessionId, modelId: id });
    return chosen;
  }
  const params = { sessionId, configId: models.optionId, value: id };
  return readModels(await client.request("session/set_config_option", params)) ?? chosen;
}
