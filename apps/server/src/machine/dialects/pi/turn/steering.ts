// Messages that wait inside the program to join the running turn, or to follow it, in the order in which they were sent. A
// message is delivered when the program repeats it; only then is it part of the conversation.
import type { TypedFrameWriter } from "../../frame-writer.ts";

interface PendingMessage {
  kind: "steering" | "follow_up";
  message: string;
  /** The key by which the server recognises it. */
  key: string | undefined;
}

/** The same limit as the server's queue of a session. */
const maxPending = 100;
/** Enough for a person to recognise it. */
const maxShownChars = 200;

export class Steering {
  readonly #out: TypedFrameWriter;
  #pending: readonly PendingMessage[] = [];

  constructor(out: TypedFrameWriter) {
    this.#out = out;
  }

  add(pending: PendingMessage): void {
    this.#set([...this.#pending, pending].slice(-maxPending));
  }

  /** Removes and returns the pending message that the program has repeated, if it is one. */
  take(message: string): PendingMessage | undefined {
    const delivered = this.#pending.find((pending) => pending.message === message);
    if (delivered !== undefined) this.#set(this.#pending.filter((pending) => pending !== delivered));
    return delivered;
  }

  #set(pending: readonly PendingMessage[]): void {
    this.#pending = pending;
    const of = (kind: PendingMessage["kind"]) =>
      pending.flatMap((one) => (one.kind === kind ? [one.message.slice(0, maxShownChars)] : []));
    this.#out.frame({ type: "queue_update", steering: of("steering"), follow_up: of("follow_up") });
  }
}
