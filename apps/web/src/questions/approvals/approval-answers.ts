// Which of an approval's answers allows the call, which denies it, and what else its agent offers.
import type { Question } from "@patchbay/protocol";
import { type AnswerOption, optionOf } from "../question-options.ts";

export interface ApprovalAnswers {
  allow: AnswerOption | null;
  deny: AnswerOption | null;
  /** Those that the agent remembers itself, and what it alone understands. */
  others: readonly AnswerOption[];
}

/** An agent that does not describe its answers names them as people do. */
const isDenial = ({ kind, label, value }: AnswerOption): boolean =>
  kind === "" ? /^(deny|reject)/i.test(value) || /^(deny|reject)/i.test(label) : kind.startsWith("reject");

export function approvalAnswers(question: Question): ApprovalAnswers {
  const options = (question.options ?? []).map(optionOf);
  const denials = options.filter(isDenial);
  const deny = denials.find(({ kind }) => kind !== "reject_always") ?? denials[0] ?? null;
  const allowing = options.filter((option) => !isDenial(option));
  const allow = allowing.find(({ kind }) => kind === "allow_once") ?? allowing[0] ?? null;
  return { allow, deny, others: options.filter((option) => option !== allow && option !== deny) };
}
