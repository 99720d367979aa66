// The choices of a `select` question: plain strings (omp), or objects with a label and perhaps a value and
// a description.
import type { Question } from "@patchbay/protocol";
import * as z from "zod/mini";
import { questionsTexts } from "./texts.ts";

export interface AnswerOption {
  label: string;
  value: string;
  description: string;
  /** ACP's word for what the answer does: `allow_once`, `allow_always`, `reject_once`, `reject_always`; empty where the agent does not say. */
  kind: string;
}

const Choice = z.looseObject({
  label: z.string(),
  value: z.optional(z.string()),
  description: z.optional(z.string()),
  kind: z.optional(z.string()),
});

export function optionOf(option: unknown): AnswerOption {
  if (typeof option === "string") return { label: option, value: option, description: "", kind: "" };
  const read = Choice.safeParse(option);
  if (read.success) {
    const { label, value = label, description = "", kind = "" } = read.data;
    return { label, value, description, kind };
  }
  return { label: JSON.stringify(option), value: JSON.stringify(option), description: "", kind: "" };
}

/** A field of a question that not every worker sends. */
export function textField(
  question: Question,
  name: "prefill" | "placeholder" | "default" | "diff" | "tool" | "extension" | "why" | "call_id",
): string {
  const value = question[name];
  return typeof value === "string" ? value : "";
}

/** What is taken for the answer when none comes in time; empty when the question does not say. */
export function defaultAnswerText(question: Question): string {
  const value = question["default"];
  if (typeof value === "boolean") return value ? questionsTexts.yes : questionsTexts.no;
  if (typeof value !== "string" || value === "") return "";
  return (question.options ?? []).map(optionOf).find((option) => option.value === value)?.label ?? value;
}
