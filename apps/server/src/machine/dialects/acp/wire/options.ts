// The options of an agent's session (`configOptions`): each is a choice of a category. Those of other categories, and those that
// are no choice, are left to the agent.
import * as z from "zod/mini";

const Value = z.looseObject({ value: z.string(), name: z.string() });
const Group = z.looseObject({ options: z.array(Value) });
const Option = z.looseObject({
  id: z.string(),
  category: z.nullish(z.string()),
  currentValue: z.optional(z.unknown()),
  options: z.optional(z.array(z.union([Group, Value]))),
});
const WithOptions = z.looseObject({ configOptions: z.array(z.catch(z.nullable(Option), null)) });

export interface AgentChoice {
  readonly current: string | undefined;
  readonly offered: readonly { readonly id: string; readonly name: string }[];
  /** Undefined: it is no option, and the agent has a separate method for it. */
  readonly optionId: string | undefined;
}

/** Whether the response or update reports the session's options: what is not among them then, is no option any more. */
export const hasOptions = (source: unknown): boolean => WithOptions.safeParse(source).success;

export function readChoice(source: unknown, category: string): AgentChoice | undefined {
  const options = WithOptions.safeParse(source).data?.configOptions ?? [];
  const option = options.find((each) => each?.category === category);
  if (option === undefined || option === null) return undefined;
  const values = (option.options ?? []).flatMap((item) => Group.safeParse(item).data?.options ?? item);
  return {
    current: typeof option.currentValue === "string" ? option.currentValue : undefined,
    offered: values.flatMap((value) => {
      const { data } = Value.safeParse(value);
      return data === undefined ? [] : [{ id: data.value, name: data.name }];
    }),
    optionId: option.id,
  };
}
