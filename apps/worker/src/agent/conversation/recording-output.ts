// The output that the agent writes to: each frame is also folded into the conversation. Deltas are left out,
// because the message that follows has them, and folding each would cost as much as streaming it.
import { deltaTypes, type Response, type WorkerEvent } from "@patchbay/protocol";
import type { WorkerOutput } from "../../output/worker-output.ts";
import type { Conversation } from "./conversation.ts";

const notRecorded: ReadonlySet<string> = new Set([...deltaTypes, "bash_output"]);

export class RecordingOutput implements WorkerOutput {
  readonly #output: WorkerOutput;
  readonly #conversation: Conversation;

  constructor(output: WorkerOutput, conversation: Conversation) {
    this.#output = output;
    this.#conversation = conversation;
  }

  write(frame: WorkerEvent | Response): void {
    if (frame.type !== "response" && !notRecorded.has(frame.type)) this.#conversation.record(frame);
    this.#output.write(frame);
  }

  ready(): Promise<void> | undefined {
    return this.#output.ready();
  }
}
