// `elicitation/create`: the daemon's tool `ask_user` asks a person to choose. A choice of several is asked one by one, because there is no
// question for a list of choices.
import * as z from "zod/mini";
import { elicit } from "../acp/requests/elicitation.ts";
import type { QuestionScope } from "../acp/requests/questions.ts";

const Choice = z.looseObject({ const: z.string(), title: z.catch(z.string(), "") });
const SeveralChoices = z.looseObject({
  mode: z.literal("form"),
  message: z.catch(z.string(), ""),
  requestedSchema: z.looseObject({
    properties: z.looseObject({
      choices: z.looseObject({
        type: z.literal("array"),
        minItems: z.catch(z.number(), 0),
        maxItems: z.catch(z.number(), Number.POSITIVE_INFINITY),
        // More would be more questions in a row than a person answers.
        items: z.looseObject({ anyOf: z.array(Choice).check(z.maxLength(20)) }),
      }),
    }),
  }),
});

const Form = z.looseObject({ mode: z.string(), sessionId: z.string() });
type Form = z.infer<typeof Form>;

/** Undefined: it is for another session, or no form. */
export function readElicitation(params: unknown, session: string | undefined): Form | undefined {
  const { data } = Form.safeParse(params);
  return data?.sessionId === session ? data : undefined;
}

export async function answerElicitation(questions: QuestionScope, request: Form): Promise<object> {
  const { data } = SeveralChoices.safeParse(request);
  if (data === undefined) return elicit(questions, request);
  const { minItems, maxItems, items } = data.requestedSchema.properties.choices;
  const choices: string[] = [];
  for (const choice of items.anyOf) {
    if (choices.length >= maxItems) break;
    const answer = await questions.ask({
      method: "confirm",
      title: choice.title || choice.const,
      message: data.message,
    });
    if (answer === null) return { action: "cancel" };
    if (answer.confirmed === true) choices.push(choice.const);
  }
  return choices.length < minItems ? { action: "cancel" } : { action: "accept", content: { choices } };
}
