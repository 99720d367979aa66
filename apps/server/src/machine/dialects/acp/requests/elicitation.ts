// An agent's form (ACP calls it elicitation): each field is asked for in turn. Closing any of the questions cancels the
// whole, so that an agent never gets half an answer.
import type { CreateElicitationRequest, CreateElicitationResponse } from "@agentclientprotocol/sdk";
import * as z from "zod/mini";
import type { Asker } from "./questions.ts";

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

/** A form with more fields is not answered in a chat. */
const maxFields = 20;
/** How often a number that is none is asked for again. */
const maxTries = 3;

type Value = string | number | boolean;

export async function elicit(
  questions: Asker,
  request: CreateElicitationRequest,
): Promise<CreateElicitationResponse> {
  const form = request.mode === "form" ? Form.safeParse(request).data : undefined;
  const fields = Object.entries(form?.requestedSchema.properties ?? {});
  // Opening an address was not offered, and a list of choices has no question of ours.
  const isOurs = fields.length <= maxFields && fields.every(([, { type }]) => type !== "array");
  if (form === undefined || !isOurs) return { action: "decline" };
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

/** Undefined: left empty. Null: closed, or never answered with what was asked for. */
async function askField(
  questions: Asker,
  { name, field, message }: { name: string; field: Field; message: string },
): Promise<Value | undefined | null> {
  const title = field.title ?? name;
  const words = { title, message: [message, field.description].filter(Boolean).join("\n") };
  if (field.type === "boolean") {
    const answer = await questions.ask({ method: "confirm", ...words });
    return typeof answer?.confirmed === "boolean" ? answer.confirmed : null;
  }
  const choices = field.oneOf ?? field.enum?.map((value) => ({ const: value, title: value }));
  if (choices !== undefined) {
    const options = choices.map((choice) => ({ label: choice.title || choice.const, value: choice.const }));
    const answer = await questions.ask({ method: "select", ...words, options });
    return choices.find((choice) => choice.const === answer?.value)?.const ?? null;
  }
  for (let tries = 0; tries < maxTries; tries++) {
    const answer = await questions.ask({ method: "input", ...words });
    if (typeof answer?.value !== "string") return null;
    const read = readValue(field, answer.value.trim());
    if (read !== null) return read;
  }
  return null;
}

/** Null: not what the field takes. */
function readValue({ type }: Field, text: string): Value | undefined | null {
  if (text === "") return undefined;
  if (type !== "number" && type !== "integer") return text;
  const number = Number(text);
  return Number.isFinite(number) && (type === "number" || Number.isInteger(number)) ? number : null;
}
