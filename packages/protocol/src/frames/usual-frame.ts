// Recognizes the frames of every turn in their usual form without their schemas, which take longer than parsing the line. Whatever has
// an unknown field, or is unusual in another way, is left to the schema: it decides alone what is valid.
import { StopReason, type WorkerEvent } from "../events/events.ts";
import { longestLabel } from "../lines/bounds.ts";

type Check = (value: unknown) => boolean;
/** The fields that it may have, by name. */
interface Form {
  checks: ReadonlyMap<string, Check>;
  required: ReadonlySet<string>;
}

const isText: Check = (value) => typeof value === "string";
const isLabel: Check = (value) => typeof value === "string" && value.length <= longestLabel;
const isNumber: Check = (value) => Number.isFinite(value);
const isBoolean: Check = (value) => typeof value === "boolean";
const stops: ReadonlySet<unknown> = new Set(StopReason.options);

const formOf = (required: Record<string, Check>, optional: Record<string, Check> = {}): Form => ({
  required: new Set(["type", ...Object.keys(required)]),
  checks: new Map([["type", isText], ...Object.entries(required), ...Object.entries(optional)]),
});

const blocks: ReadonlyMap<unknown, Form> = new Map([
  ["text", formOf({ text: isText })],
  ["thinking", formOf({ text: isText }, { signature: isText, duration_ms: isNumber })],
  ["tool_call", formOf({ id: isText, name: isText, args: () => true })],
]);
const isContent: Check = (value) => {
  if (!Array.isArray(value)) return false;
  for (const block of value) if (!hasForm(block, blocks)) return false;
  return true;
};

const frames: ReadonlyMap<unknown, Form> = new Map([
  [
    "user_message",
    formOf({ content: isContent, time: isText }, { steering: isBoolean, key: isLabel, entry_id: isLabel }),
  ],
  ["turn_start", formOf({ step: isNumber })],
  ["assistant_start", formOf({})],
  ["assistant_message", formOf({ content: isContent, time: isText })],
  ["turn_end", formOf({ stop: (value) => stops.has(value) }, { error: isText })],
  ["done", formOf({}, { duration_ms: isNumber })],
]);

/** The schema would accept it, unchanged. */
export const isUsualFrame = (value: object): value is WorkerEvent => hasForm(value, frames);

function hasForm(value: unknown, forms: ReadonlyMap<unknown, Form>): boolean {
  if (typeof value !== "object" || value === null || !("type" in value)) return false;
  const form = forms.get(value.type);
  if (form === undefined) return false;
  let required = 0;
  for (const name in value) {
    if (form.checks.get(name)?.(Reflect.get(value, name)) !== true) return false;
    if (form.required.has(name)) required++;
  }
  return required === form.required.size;
}
