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

const decisions = [
  { label: "Allow once", value: "allow_once", kind: "allow_once" },
  { label: "Allow always in this session", value: "allow_always", kind: "allow_always" },
  { label: "Deny", value: "reject", kind: "reject_once" },
];

/** Undefined: the request cannot be read. */
export function approvalQuestion(update: unknown): OutputFrame | undefined {
  const { data } = ApprovalRequest.safeParse(update);
  if (data === undefined) return undefined;
  return {
    type: "extension_ui_request",
    id: data.request_id,
    method: "select",
    title: `Run ${data.tool_name}?`,
    message: data.arguments_summary,
    tool: data.tool_name,
    args: { summary: data.arguments_summary },
    options: decisions,
    timeout: data.timeout_secs * 1000,
  };
}

/** Any answer that is none of the options rejects. */
export const decisionOf = (value: unknown): string =>
  decisions.find((decision) => decision.value === value)?.value ?? "reject";
