// How often sockets may be opened: a page that comes back in a loop must not keep the server busy.

const minuteMs = 60_000;

/** So many per minute for each session. Counts start anew each minute, so that nothing is kept for long. */
export class Rate {
  readonly #limit: number;
  #counts = new Map<string, number>();
  #since = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  allows(session: string): boolean {
    const now = performance.now();
    if (now - this.#since > minuteMs) {
      this.#counts = new Map();
      this.#since = now;
    }
    const count = (this.#counts.get(session) ?? 0) + 1;
    this.#counts.set(session, count);
    return count <= this.#limit;
  }
}
