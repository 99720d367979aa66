// What waits inside the program to be said in the middle of a turn or right after it. pi tells (`queue_update`); for
// omp, which does not, we keep account: a message leaves the queue when the program repeats it.
import type { Outlet } from "./outlet.ts";

/** Nobody queues more by hand; what is beyond is not shown. */
const mostShown = 100;

export class Steering {
  readonly #out: Outlet;
  #steering: readonly string[] = [];
  #followUp: readonly string[] = [];

  constructor(out: Outlet) {
    this.#out = out;
  }

  /** The program's own account. */
  told(steering: readonly string[], followUp: readonly string[]): void {
    this.#set(steering, followUp);
  }

  add(kind: "steer" | "follow_up", message: string): void {
    if (kind === "steer") this.#set([...this.#steering, message], this.#followUp);
    else this.#set(this.#steering, [...this.#followUp, message]);
  }

  /** It has been said. */
  said(message: string): void {
    if (this.#steering.includes(message)) this.#set(without(this.#steering, message), this.#followUp);
    else if (this.#followUp.includes(message)) this.#set(this.#steering, without(this.#followUp, message));
  }

  clear(): void {
    if (this.#steering.length + this.#followUp.length > 0) this.#set([], []);
  }

  #set(steering: readonly string[], followUp: readonly string[]): void {
    this.#steering = steering.slice(0, mostShown);
    this.#followUp = followUp.slice(0, mostShown);
    this.#out.frame({ type: "queue_update", steering: this.#steering, follow_up: this.#followUp });
  }
}

function without(messages: readonly string[], said: string): string[] {
  const at = messages.indexOf(said);
  return messages.filter((_, index) => index !== at);
}
