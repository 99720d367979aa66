// zeroclaw's approvals as questions: a notification asks, a call of ours decides. The daemon itself counts to 120 s.

import * as z from "zod/mini";
import type { OwnFrame } from "../frame-output.ts";

const Request = z.looseObject({
  request_id: z.string(),
  tool_name: z.string(),
  arguments_summary: z.catch(z.string(), ""),
  timeout_secs: z.catch(z.number(), 120),
});

const decisions = [
  { label: "Allow once", value: "allow_once" },
  { label: "Allow always in this session", value: "allow_always" },
  { label: "Deny", value: "reject" },
];

/** Undefined when it is none that we can read. */
export function approvalQuestion(update: unknown): OwnFrame | undefined {
  const { data } = Request.safeParse(update);
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

/** What is no choice of ours is a no. */
export const decisionOf = (value: unknown): string =>
  decisions.find((decision) => decision.value === value)?.value ?? "reject";
