// A server's question to the person (MCP calls it elicitation): each field of its form is asked for in turn.
// Closing any of the questions cancels the whole, so that a server never gets half an answer.
import type { ElicitRequest, ElicitResult } from "@modelcontextprotocol/client";
import type { UiChannel } from "../output/ui-channel.ts";

type FormParams = Extract<ElicitRequest["params"], { requestedSchema: unknown }>;
type Field = FormParams["requestedSchema"]["properties"][string];
type Value = string | number | boolean | string[];

/** A longer form is declined: its fields are asked one by one. */
const maxFields = 20;
/** How often an invalid number or choice is asked for again. */
const maxTries = 3;

const cancelled: ElicitResult = { action: "cancel" };

export async function askElicitation(
  ui: UiChannel,
  server: string,
  params: ElicitRequest["params"],
  signal: AbortSignal,
): Promise<ElicitResult> {
  if (!("requestedSchema" in params)) return { action: "decline" }; // opening an address was not offered
  const { properties, required = [] } = params.requestedSchema;
  const fields = Object.entries(properties);
  if (fields.length > maxFields) return { action: "decline" };
  if (fields.length === 0) {
    const answer = await ui.ask("confirm", { title: server, message: params.message }, { signal });
    if (!("confirmed" in answer)) return cancelled;
    return answer.confirmed ? { action: "accept", content: {} } : { action: "decline" };
  }
  const content: Record<string, Value> = {};
  for (const [name, field] of fields) {
    const value = await askField(ui, { server, message: params.message, name, field, signal });
    if (value === null) return cancelled;
    if (value !== undefined) content[name] = value;
    else if (required.includes(name)) return cancelled;
  }
  return { action: "accept", content };
}

interface Question {
  readonly server: string;
  readonly message: string;
  readonly name: string;
  readonly field: Field;
  readonly signal: AbortSignal;
}

/** Undefined: left empty. Null: closed, or never answered with what was asked for. */
async function askField(ui: UiChannel, question: Question): Promise<Value | undefined | null> {
  const { server, message, name, field, signal } = question;
  const title = `${server}: ${field.title ?? name}`;
  const description = [message, field.description].filter(Boolean).join("\n");
  if (field.type === "boolean") {
    const answer = await ui.ask("confirm", { title, message: description }, { signal });
    return "confirmed" in answer ? answer.confirmed : null;
  }
  const choices = choicesOf(field);
  if (choices !== null && field.type === "string") {
    const answer = await ui.ask(
      "select",
      { title, message: description, options: [...choices.keys()] },
      { signal },
    );
    return "value" in answer ? (choices.get(answer.value) ?? null) : null;
  }
  const placeholder = choices === null ? "" : `several of: ${[...choices.keys()].join(", ")}`;
  for (let tries = 0; tries < maxTries; tries++) {
    const answer = await ui.ask("input", { title, message: description, placeholder }, { signal });
    if (!("value" in answer)) return null;
    const read = readValue(field, answer.value.trim(), choices);
    if (read !== null) return read;
  }
  return null;
}

/** Null: not what the field takes. */
function readValue(
  field: Field,
  text: string,
  choices: ReadonlyMap<string, string> | null,
): Value | undefined | null {
  if (text === "") return undefined;
  if (field.type === "number" || field.type === "integer") {
    const number = Number(text);
    return Number.isFinite(number) && (field.type === "number" || Number.isInteger(number)) ? number : null;
  }
  if (field.type !== "array") return text;
  const chosen = text.split(",").map((part) => choices?.get(part.trim()));
  return chosen.every((value) => value !== undefined) ? chosen : null;
}

/** What a person reads, and the value it stands for. */
function choicesOf(field: Field): ReadonlyMap<string, string> | null {
  const of = field.type === "array" ? field.items : field;
  if ("oneOf" in of || "anyOf" in of) {
    const list = "oneOf" in of ? of.oneOf : of.anyOf;
    return new Map(list.map((choice) => [choice.title, choice.const]));
  }
  if (!("enum" in of)) return null;
  const names: readonly string[] = "enumNames" in of && Array.isArray(of.enumNames) ? of.enumNames : [];
  return new Map(of.enum.map((value, at) => [names[at] ?? value, value]));
}
