// Converts an agent's permission request to a question, and the answer to one of the agent's options. Any other answer cancels.
import type { RequestPermissionRequest, RequestPermissionResponse } from "@agentclientprotocol/sdk";
import { AcpToolCall, ToolCallUpdate } from "../turn/tool-call.ts";
import type { TurnFrames } from "../turn/turn-frames.ts";
import type { QuestionScope } from "./questions.ts";

export async function askPermission(
  questions: QuestionScope,
  { toolCall, options }: RequestPermissionRequest,
  turn: TurnFrames | undefined,
): Promise<RequestPermissionResponse> {
  const call = turn?.call(toolCall.toolCallId) ?? new AcpToolCall(toolCall);
  call.update(toolCall);
  const asked = performance.now();
  const answer = await questions.ask({
    method: "select",
    title: call.title,
    tool: call.name,
    call_id: call.id,
    args: call.args,
    ...(call.diff === undefined ? {} : { diff: call.diff }),
    options: options.map(({ optionId, name, kind }) => ({ label: name, value: optionId, kind })),
  });
  call.waitedMs += performance.now() - asked;
  const chosen = options.find(({ optionId }) => optionId === answer?.value);
  if (chosen === undefined) return { outcome: { outcome: "cancelled" } };
  call.isRefused = chosen.kind.startsWith("reject");
  // Some agents first mention a call in this request and send no update before its end: it is shown as running now.
  const update = ToolCallUpdate.safeParse(toolCall);
  if (chosen.kind.startsWith("allow") && update.success)
    turn?.tool({ ...update.data, status: "in_progress" });
  return { outcome: { outcome: "selected", optionId: chosen.optionId } };
}
