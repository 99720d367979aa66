// Lets turns begin, or says why not: a budget may be used up, and a person who stopped a turn wants what waits to wait.
// What a budget did not let begin is told of once.
import type { Task } from "./queue.ts";
import { closing } from "./refusals.ts";
import type { TurnsOptions } from "./turns-options.ts";

export class TurnGate {
  readonly #options: Pick<TurnsOptions, "refusal" | "held">;
  #isHolding: boolean;
  /** A person stopped a turn: what waits does so until somebody lets it go on, or adds to it. */
  isStopped = false;

  constructor(options: Pick<TurnsOptions, "refusal" | "held" | "wasHeld">) {
    this.#options = options;
    this.#isHolding = options.wasHeld;
  }

  /** Something that waits was not let begin, and viewers know. */
  get isHolding(): boolean {
    return this.#isHolding;
  }

  refusal(): string | undefined {
    return this.#options.refusal();
  }

  /** Answers a task that may not begin, or wait; false: it may. */
  turnsAway(task: Task, isClosing: boolean): boolean {
    const why = isClosing ? closing : this.refusal();
    if (why !== undefined) task.fail(why);
    return why !== undefined;
  }

  /** Whether what waits may begin. */
  letsNext(): boolean {
    if (this.isStopped) return false;
    const why = this.refusal();
    if (why !== undefined) this.hold(why);
    else this.#isHolding = false;
    return why === undefined;
  }

  hold(why: string): void {
    if (!this.#isHolding) this.#options.held(why);
    this.#isHolding = true;
  }
}
