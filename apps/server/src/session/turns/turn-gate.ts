// Lets turns begin, or says why not: a budget may be used up, and a person who stopped a turn wants what waits to wait.
// What a budget did not let begin is told of once.
import type { SpendingGuard } from "../../projections/spending.ts";
import type { Task } from "./queue.ts";

export const closing = "The server is shutting down; nothing new is started.";

export class TurnGate {
  readonly #guard: SpendingGuard;
  #isHolding: boolean;
  /** A person stopped a turn: what waits does so until somebody lets it go on, or adds to it. */
  isStopped = false;

  constructor(guard: SpendingGuard) {
    this.#guard = guard;
    this.#isHolding = guard.wasHeld;
  }

  /** Something that waits was not let begin, and viewers know. */
  get isHolding(): boolean {
    return this.#isHolding;
  }

  refusal(): string | undefined {
    return this.#guard.refusal();
  }

  /** Answers a task that may not begin, or wait; false: it may. */
  refuses(task: Task, isClosing: boolean): boolean {
    const why = isClosing ? closing : this.refusal();
    if (why !== undefined) task.fail(why);
    return why !== undefined;
  }

  /** Whether what waits may begin. */
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
