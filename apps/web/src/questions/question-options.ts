// The choices of a `select` question: plain strings (omp), or objects with a label and perhaps a value and
// a description.
import type { Question } from "@patchbay/protocol";
import * as z from "zod/mini";

export interface AnswerOption {
  label: string;
  value: string;
  description: string;
}

const Choice = z.looseObject({
  label: z.string(),
  value: z.optional(z.string()),
  description: z.optional(z.string()),
});

export function optionOf(option: unknown): AnswerOption {
  if (typeof option === "string") return { label: option, value: option, description: "" };
  const read = Choice.safeParse(option);
  if (read.success) {
    const { label, value = label, description = "" } = read.data;
    return { label, value, description };
  }
  return { label: JSON.stringify(option), value: JSON.stringify(option), description: "" };
}

/** A field of a question that not every worker sends. */
export function textField(
  question: Question,
  name: "prefill" | "placeholder" | "default" | "diff" | "tool" | "extension" | "why",
): string {
  const value = question[name];
  return typeof value === "string" ? value : "";
}

/** What is taken for the answer when none comes in time; empty when the question does not say. */
export function defaultAnswerText(question: Question): string {
  const value = question["default"];
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value !== "string" || value === "") return "";
  return (question.options ?? []).map(optionOf).find((option) => option.value === value)?.label ?? value;
}
