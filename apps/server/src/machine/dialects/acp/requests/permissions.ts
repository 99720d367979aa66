// An agent that asks for leave: its choices become a question, the answer its choice. What is no choice of its is a no.
import type { RequestPermissionRequest, RequestPermissionResponse } from "@agentclientprotocol/sdk";
import { ToolCall, ToolTelling } from "../turn/tool-call.ts";
import type { TurnFrames } from "../turn/turn-frames.ts";
import type { Asker } from "./questions.ts";

export async function askPermission(
  questions: Asker,
  { toolCall, options }: RequestPermissionRequest,
  turn: TurnFrames | undefined,
): Promise<RequestPermissionResponse> {
  const call = turn?.call(toolCall.toolCallId) ?? new ToolCall(toolCall);
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
  if (chosen === undefined) return { outcome: { outcome: "cancelled" } };
  call.isRefused = chosen.kind.startsWith("reject");
  // Some agents tell of a call by asking, and not again before it is over: it runs now, and is seen to.
  const told = ToolTelling.safeParse(toolCall);
  if (chosen.kind.startsWith("allow") && told.success) turn?.tool({ ...told.data, status: "in_progress" });
  return { outcome: { outcome: "selected", optionId: chosen.optionId } };
}
