// Runs expensive work of one session one piece after another, with a turn of the event loop between them, so that a viewer
// with a thousand requests does not block others.
import { setImmediate as nextTurn } from "node:timers/promises";

export class OneAtATime {
  readonly #limit: number;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** `limit`: how many pieces may wait. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Undefined when too many wait already. */
  run<T>(work: () => Promise<T>): Promise<T> | undefined {
    if (this.#waiting >= this.#limit) return undefined;
    this.#waiting++;
    const result = this.#last.then(nextTurn).then(work);
    this.#last = result
      .catch(() => {}) // the caller gets the error
      .finally(() => {
        this.#waiting--;
      });
    return result;
  }
}
