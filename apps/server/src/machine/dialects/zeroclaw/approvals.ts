// Converts zeroclaw's approval requests into questions: the daemon asks by a notification, the server decides by a call. The
// daemon itself ends the wait, after 120 s by default.
import * as z from "zod/mini";
import type { OutputFrame } from "../frame-writer.ts";

const ApprovalRequest = z.looseObject({
  request_id: z.string(),
  tool_name: z.string(),
  arguments_summary: z.catch(z.string(), ""),
  timeout_secs: z.catch(z.number(), 120),
});
export type ApprovalRequest = z.infer<typeof ApprovalRequest>;

/** Undefined: the request cannot be read. */
export function readApprovalRequest(update: unknown): ApprovalRequest | undefined {
  const { data } = ApprovalRequest.safeParse(update);
  // An argument that the daemon adds for itself. Its keys are sorted, so it is the first.
  return (
    data && {
      ...data,
      arguments_summary: data.arguments_summary.replace(/^approved: (true|false)(, |$)/, ""),
    }
  );
}

const decisions = [
  { label: "Allow once", value: "allow_once", kind: "allow_once" },
  { label: "Allow always in this session", value: "allow_always", kind: "allow_always" },
  { label: "Deny", value: "reject", kind: "reject_once" },
];

/** The request has no call id, because the daemon reports the call when it runs. Its row has the id of the request until then. */
export const approvalQuestion = (request: ApprovalRequest): OutputFrame => ({
  type: "extension_ui_request",
  id: request.request_id,
  method: "select",
  title: `Run ${request.tool_name}?`,
  message: request.arguments_summary,
  tool: request.tool_name,
  call_id: request.request_id,
  args: { summary: request.arguments_summary },
  options: decisions,
  timeout: request.timeout_secs * 1000,
});

/** What the daemon gives the model as the result of a denied call. */
export const denied = "Denied by user.";
/** The daemon cuts a longer replacement. */
const maxReason = 60_000;

/** Any answer that is none of the options rejects. A reason reaches the model as the call's result. */
export function decisionFor({ value, reason }: Record<string, unknown>): {
  decision: string;
  replacement?: string;
} {
  const decision = decisions.find((known) => known.value === value)?.value ?? "reject";
  if (decision !== "reject" || typeof reason !== "string" || reason.trim() === "") return { decision };
  return { decision: "reject_with_edit", replacement: `${denied} ${reason.trim().slice(0, maxReason)}` };
}
