// An agent's form (ACP calls it elicitation): each field becomes a question, one after the other. Closing any of them cancels
// the form, so that an agent never gets a partial answer.
import type { CreateElicitationResponse } from "@agentclientprotocol/sdk";
import * as z from "zod/mini";
import type { QuestionScope } from "./questions.ts";

const Choice = z.looseObject({ const: z.string(), title: z.catch(z.string(), "") });
const Field = z.looseObject({
  type: z.string(),
  title: z.nullish(z.string()),
  description: z.nullish(z.string()),
  enum: z.nullish(z.array(z.string())),
  oneOf: z.nullish(z.array(Choice)),
});
type Field = z.infer<typeof Field>;
const Form = z.looseObject({
  message: z.catch(z.string(), ""),
  requestedSchema: z.looseObject({
    properties: z._default(z.record(z.string(), Field), {}),
    required: z.nullish(z.array(z.string())),
  }),
});

/** A form with more fields is declined: a person would not answer that many questions in a row. */
const maxFields = 20;
/** How often a field is asked for when the answer does not fit its type. */
const maxTries = 3;

type Value = string | number | boolean;

export async function elicit(
  questions: QuestionScope,
  request: { readonly mode: string },
): Promise<CreateElicitationResponse> {
  const form = request.mode === "form" ? Form.safeParse(request).data : undefined;
  const fields = Object.entries(form?.requestedSchema.properties ?? {});
  // We did not announce that we can open addresses, and have no question for a list of choices.
  const isSupported = fields.length <= maxFields && fields.every(([, { type }]) => type !== "array");
  if (form === undefined || !isSupported) return { action: "decline" };
  const required = form.requestedSchema.required ?? [];
  const content: Record<string, Value> = {};
  for (const [name, field] of fields) {
    const value = await askField(questions, { name, field, message: form.message });
    if (value === null || (value === undefined && required.includes(name))) return { action: "cancel" };
    if (value !== undefined) content[name] = value;
  }
  if (fields.length > 0) return { action: "accept", content };
  const answer = await questions.ask({ method: "confirm", title: form.message });
  if (answer === null) return { action: "cancel" };
  return answer.confirmed === true ? { action: "accept", content } : { action: "decline" };
}

/** Undefined: left empty. Null: closed, or never answered with a value of the field's type. */
async function askField(
  questions: QuestionScope,
  { name, field, message }: { name: string; field: Field; message: string },
): Promise<Value | undefined | null> {
  const title = field.title ?? name;
  const texts = { title, message: [message, field.description].filter(Boolean).join("\n") };
  if (field.type === "boolean") {
    const answer = await questions.ask({ method: "confirm", ...texts });
    return typeof answer?.confirmed === "boolean" ? answer.confirmed : null;
  }
  const choices = field.oneOf ?? field.enum?.map((value) => ({ const: value, title: value }));
  if (choices !== undefined) {
    const options = choices.map((choice) => ({ label: choice.title || choice.const, value: choice.const }));
    const answer = await questions.ask({ method: "select", ...texts, options });
    return choices.find((choice) => choice.const === answer?.value)?.const ?? null;
  }
  for (let tries = 0; tries < maxTries; tries++) {
    const answer = await questions.ask({ method: "input", ...texts });
    if (typeof answer?.value !== "string") return null;
    const read = readValue(field, answer.value.trim());
    if (read !== null) return read;
  }
  return null;
}

/** Null: not a value of the field's type. */
function readValue({ type }: Field, text: string): Value | undefined | null {
  if (text === "") return undefined;
  if (type !== "number" && type !== "integer") return text;
  const number = Number(text);
  return Number.isFinite(number) && (type === "number" || Number.isInteger(number)) ? number : null;
}
