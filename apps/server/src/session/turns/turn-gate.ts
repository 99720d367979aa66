// Decides whether a turn may begin. A used-up budget refuses it; after a person stopped a turn, the queue waits.
// Viewers are notified once when a budget holds the queue.
import type { SpendingGuard } from "../../projections/spending.ts";
import type { Task } from "./queue.ts";

export const closing = "The server is shutting down. Try again when it is back.";

export class TurnGate {
  readonly #guard: SpendingGuard;
  #isHolding: boolean;
  /** A person stopped a turn: the queue waits until a viewer resumes it or adds to it. */
  isStopped = false;

  constructor(guard: SpendingGuard) {
    this.#guard = guard;
    this.#isHolding = guard.wasHeld;
  }

  /** A budget holds the queue, and viewers were notified. */
  get isHolding(): boolean {
    return this.#isHolding;
  }

  refusal(): string | undefined {
    return this.#guard.refusal();
  }

  /** Fails a task that may neither begin nor be queued; false: it may. */
  refuses(task: Task, isClosing: boolean): boolean {
    const why = isClosing ? closing : this.refusal();
    if (why !== undefined) task.fail(why, isClosing ? "going_away" : "budget_used_up");
    return why !== undefined;
  }

  /** Whether the next queued task may begin. */
  mayStartNext(): boolean {
    if (this.isStopped) return false;
    const why = this.refusal();
    if (why !== undefined) this.hold(why);
    else this.#isHolding = false;
    return why === undefined;
  }

  hold(why: string): void {
    if (!this.#isHolding) this.#guard.held(why);
    this.#isHolding = true;
  }
}
