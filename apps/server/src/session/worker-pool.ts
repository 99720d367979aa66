// Built-in workers started ahead, so that a new session is ready in a few milliseconds. A pooled worker
// has said hello and knows neither directory nor session yet; `begin` tells it.
import type { WorkerListener } from "./worker-link.ts";
import { WorkerLink } from "./worker-link.ts";

interface PoolOptions {
  size: number;
  /** Starts a worker that belongs to nobody yet. */
  launch(listener: WorkerListener): WorkerLink;
  startMs: number;
  onError(error: unknown): void;
}

export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #idle = new Set<WorkerLink>();
  #closed = false;
  #starting = 0;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Starts what is missing. One at a time: they must not get in the way of whoever works. */
  fill(): void {
    if (this.#closed || this.#starting > 0 || this.#idle.size >= this.#options.size) return;
    this.#starting++;
    const link = this.#options.launch(nobody(() => this.#idle.delete(link)));
    link
      .hello(this.#options.startMs)
      .then(
        () => {
          if (this.#closed) return link.stop();
          this.#idle.add(link);
          return undefined;
        },
        (error: unknown) => {
          this.#closed = true; // sessions start their own, and say what is wrong
          this.#options.onError(error);
        },
      )
      .finally(() => {
        this.#starting--;
        this.fill();
      })
      .catch(this.#options.onError);
  }

  /** A worker that is ready, now owned by `listener`; undefined when there is none. */
  take(listener: WorkerListener): WorkerLink | undefined {
    const [link] = this.#idle;
    if (link === undefined) return undefined;
    this.#idle.delete(link);
    link.adopt(listener);
    setImmediate(() => this.fill());
    return link;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#idle].map((link) => link.stop()));
  }

  kill(): void {
    this.#closed = true;
    for (const link of this.#idle) link.kill();
  }
}

/** Listens to a worker that nobody owns yet: it should say nothing. */
const nobody = (exited: () => void): WorkerListener => ({
  deltas: () => {},
  frame: () => {},
  segment: () => {},
  noise: () => {},
  pressure: () => undefined,
  exited,
});
