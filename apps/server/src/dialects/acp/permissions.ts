// An agent that asks for leave: its choices become a question, the answer its choice. What is no choice of its is a no.
import type { RequestPermissionRequest, RequestPermissionResponse } from "@agentclientprotocol/sdk";
import type { Questions } from "./questions.ts";
import { ToolCall } from "./tool-call.ts";

/** `known`: the call that it is about, if the agent has told of it. */
export async function askPermission(
  questions: Questions,
  { toolCall, options }: RequestPermissionRequest,
  known: ToolCall | undefined,
): Promise<RequestPermissionResponse> {
  const call = known ?? new ToolCall(toolCall);
  call.tell(toolCall);
  const answer = await questions.ask({
    method: "select",
    title: call.title,
    tool: call.name,
    args: call.args,
    ...(call.diff === undefined ? {} : { diff: call.diff }),
    options: options.map(({ optionId, name }) => ({ label: name, value: optionId })),
  });
  const chosen = options.find(({ optionId }) => optionId === answer?.value);
  return chosen === undefined
    ? { outcome: { outcome: "cancelled" } }
    : { outcome: { outcome: "selected", optionId: chosen.optionId } };
}
