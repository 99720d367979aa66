// An agent that asks for leave asks a person: its choices become a question, the answer its choice. Whoever stops the
// turn has answered everything with no.
import { randomUUID } from "node:crypto";
import type { RequestPermissionRequest, RequestPermissionResponse } from "@agentclientprotocol/sdk";
import type { OwnFrame } from "./outlet.ts";
import { ToolCall } from "./tool-call.ts";

const cancelled: RequestPermissionResponse = { outcome: { outcome: "cancelled" } };

/** Beyond this an agent is broken; the server shows no more at once either. */
const maxOpen = 100;

export class Permissions {
  readonly #emit: (frame: OwnFrame) => void;
  readonly #open = new Map<
    string,
    { answer(response: RequestPermissionResponse): void; options: Set<string> }
  >();

  constructor(emit: (frame: OwnFrame) => void) {
    this.#emit = emit;
  }

  ask(
    { toolCall, options }: RequestPermissionRequest,
    known: ToolCall | undefined,
  ): Promise<RequestPermissionResponse> {
    if (this.#open.size >= maxOpen) return Promise.resolve(cancelled);
    const id = `acp-${randomUUID()}`;
    const call = known ?? new ToolCall(toolCall);
    call.tell(toolCall);
    return new Promise((resolve) => {
      this.#open.set(id, { answer: resolve, options: new Set(options.map(({ optionId }) => optionId)) });
      this.#emit({
        type: "extension_ui_request",
        id,
        method: "select",
        title: call.title,
        tool: call.name,
        args: call.args,
        ...(call.diff === undefined ? {} : { diff: call.diff }),
        options: options.map(({ optionId, name }) => ({ label: name, value: optionId })),
      });
    });
  }

  /** False when it is no question of ours. */
  answer(id: string, value: unknown): boolean {
    const open = this.#open.get(id);
    if (open === undefined) return false;
    this.#open.delete(id);
    const chosen = typeof value === "string" && open.options.has(value);
    open.answer(chosen ? { outcome: { outcome: "selected", optionId: value } } : cancelled);
    return true;
  }

  withdrawAll(): void {
    for (const id of [...this.#open.keys()]) {
      this.answer(id, undefined);
      this.#emit({ type: "extension_ui_request", id: `${id}-cancel`, method: "cancel", targetId: id });
    }
  }
}
