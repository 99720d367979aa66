// Which model an agent uses and which others it has, in either way of telling it: as one of the session's options, or as
// its `models`, which agents from before these options (gemini-cli) still have and which the SDK knows no more.
import type { ModelInfo } from "@patchbay/protocol";
import * as z from "zod/mini";
import type { Wire } from "./rpc-client.ts";

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

export interface Models {
  readonly current: string | undefined;
  readonly offered: readonly { readonly id: string; readonly name: string }[];
  /** The option that chooses among them; undefined: there is a method of its own for it. */
  readonly optionId: string | undefined;
}

/** In what a session was opened with, or what was told of its options since; undefined: it says nothing of its models. */
export function modelsIn(told: unknown): Models | undefined {
  const options = WithOptions.safeParse(told).data?.configOptions ?? [];
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
  const models = WithModels.safeParse(told).data?.models;
  return (
    models && {
      current: models.currentModelId,
      offered: models.availableModels.map(({ modelId, name }) => ({ id: modelId, name })),
      optionId: undefined,
    }
  );
}

/** After a change of the session's options; what came in the other way is not among them. */
export const modelsAfter = (before: Models | undefined, told: unknown): Models | undefined =>
  modelsIn(told) ?? (before?.optionId === undefined ? before : undefined);

export const modelInfos = (models: Models | undefined, provider: string): ModelInfo[] =>
  (models?.offered ?? []).map(({ id, name }) => ({
    ...{ id, provider, name },
    ...{ context_window: 0, max_output: 0, reasoning: false },
  }));

/** The model that somebody means: by its id, or after a provider's name, which is the agent's or one that it does not know. */
export function meant(models: Models, provider: string, wish: string): string | undefined {
  const ids = models.offered.map(({ id }) => id);
  const names = [wish, ...(wish.startsWith(`${provider}/`) ? [wish.slice(provider.length + 1)] : [])];
  const short = wish.slice(wish.indexOf("/") + 1);
  return [...names, short].find((name) => ids.includes(name));
}

export async function choose(wire: Wire, sessionId: string, models: Models, id: string): Promise<Models> {
  const chosen = { ...models, current: id };
  if (models.optionId === undefined) {
    await wire.requestOther("session/set_model", { sessionId, modelId: id });
    return chosen;
  }
  const params = { sessionId, configId: models.optionId, value: id };
  return modelsIn(await wire.request("session/set_config_option", params)) ?? chosen;
}
