// Converts zeroclaw's decisions to answers of questions. The decision `answer` is an addition, for questions that are not yes or no.
import { type Question, readApproval, type UiResponseCommand } from "@patchbay/protocol";
import * as z from "zod/mini";
import { RpcError } from "./json-rpc.ts";

const decisions = [
  "allow_once",
  "allow_always",
  "reject",
  "reject_once",
  "reject_with_edit",
  "answer",
] as const;

export const Decision = z.object({
  session_id: z.string(),
  request_id: z.string(),
  decision: z.string(),
  replacement: z.optional(z.string()),
  value: z.optional(z.string()),
});
type Decision = z.infer<typeof Decision>;

type DecisionKind = (typeof decisions)[number];

/** Throws for a decision that does not exist, also when the question is already answered. */
export function readDecision(given: string): DecisionKind {
  const decision = decisions.find((known) => known === given);
  if (decision === undefined)
    throw new RpcError("badParams", `unknown decision: ${given}. Known: ${decisions.join(", ")}.`);
  return decision;
}

export function toUiResponse(
  question: Question,
  decision: DecisionKind,
  given: Pick<Decision, "replacement" | "value">,
): UiResponseCommand {
  const answer = { type: "extension_ui_response" as const, id: question.id };
  if (decision === "answer") {
    if (given.value === undefined)
      throw new RpcError("badParams", 'The decision "answer" needs a string "value".');
    return { ...answer, value: given.value };
  }
  const approval = readApproval(question);
  // A standing permission of the server's, which people can see and revoke.
  if (decision === "allow_always" && approval !== null)
    return { ...answer, value: approval.allow, remember: { what: "tool", where: "session" } };
  const allowed = decision === "allow_once" || decision === "allow_always";
  const reason = given.replacement === undefined ? {} : { reason: given.replacement };
  if (question.method === "confirm") return { ...answer, confirmed: allowed, ...(allowed ? {} : reason) };
  const option = question.method === "select" ? optionFor(question, decision) : undefined;
  if (option !== undefined) return { ...answer, value: option, ...(allowed ? {} : reason) };
  if (allowed) {
    const known = choices(question).map(({ value }) => `"${value}"`);
    throw new RpcError(
      "badParams",
      `This is not a yes-or-no question. Send {"decision":"answer","value":…}${known.length > 0 ? ` with one of ${known.join(", ")}` : ""}.`,
    );
  }
  return { ...answer, cancelled: true, ...reason };
}

const yes = /^(allow|approve|yes|ok|accept|run|trust|always)\b/i;
const always = /\balways\b/i;
const no = /^(deny|reject|no|don.t|decline|refuse|cancel|never)\b/i;

interface Choice {
  label: string;
  value: string;
}

/** Agents name their options themselves, so yes and no are recognized by common labels. */
function optionFor(question: Question, decision: Exclude<DecisionKind, "answer">): string | undefined {
  const find = (wanted: RegExp, lasting: boolean) =>
    choices(question).find(
      ({ label, value }) => wanted.test(label) && (always.test(label) || always.test(value)) === lasting,
    )?.value;
  if (decision === "allow_always") return find(yes, true) ?? find(yes, false);
  if (decision === "allow_once") return find(yes, false);
  return find(no, false) ?? find(no, true);
}

const Labelled = z.object({ label: z.string(), value: z.optional(z.string()) });

/** An option is a string, or an object with a label. */
function choices({ options }: Question): Choice[] {
  return (options ?? []).flatMap((option) => {
    if (typeof option === "string") return [{ label: option, value: option }];
    const { data } = Labelled.safeParse(option);
    return data === undefined ? [] : [{ label: data.label, value: data.value ?? data.label }];
  });
}
