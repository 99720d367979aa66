// What waits inside the program to be said in the middle of a turn or right after it, in the order in which it was
// given. A message has been said when the program repeats it; only then is it part of the conversation.
import type { TypedFrameOutput } from "../../frame-output.ts";

interface Waiting {
  kind: "steering" | "follow_up";
  message: string;
  /** By which the server knows it again. */
  key: string | undefined;
}

/** The server keeps no more waiting for a session. */
const mostWaiting = 100;
/** Enough to know it again. */
const longestShown = 200;

export class Steering {
  readonly #out: TypedFrameOutput;
  #waiting: readonly Waiting[] = [];

  constructor(out: TypedFrameOutput) {
    this.#out = out;
  }

  add(waiting: Waiting): void {
    this.#set([...this.#waiting, waiting].slice(-mostWaiting));
  }

  /** What the program says now: the message that waited, if it is one. */
  said(message: string): Waiting | undefined {
    const said = this.#waiting.find((waiting) => waiting.message === message);
    if (said !== undefined) this.#set(this.#waiting.filter((waiting) => waiting !== said));
    return said;
  }

  #set(waiting: readonly Waiting[]): void {
    this.#waiting = waiting;
    const of = (kind: Waiting["kind"]) =>
      waiting.flatMap((one) => (one.kind === kind ? [one.message.slice(0, longestShown)] : []));
    this.#out.frame({ type: "queue_update", steering: of("steering"), follow_up: of("follow_up") });
  }
}
