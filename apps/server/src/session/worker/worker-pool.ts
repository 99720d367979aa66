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

/** In a row: one may be bad luck, more are not. */
const maxFailures = 3;

export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #idle = new Set<WorkerLink>();
  #closed = false;
  #failures = 0;
  /** Counts how often the way of starting them has changed. */
  #generation = 0;
  /** Has not said hello yet. */
  #starting: WorkerLink | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Starts what is missing. One at a time: they must not get in the way of whoever works. */
  fill(): void {
    if (this.#closed || this.#starting !== undefined || this.#idle.size >= this.#options.size) return;
    const link = this.#options.launch(unowned(() => this.#idle.delete(link)));
    this.#starting = link;
    const generation = this.#generation;
    link
      .hello(this.#options.startMs)
      .then(
        () => {
          if (this.#closed || generation !== this.#generation) return link.stop();
          this.#failures = 0;
          this.#idle.add(link);
          return undefined;
        },
        (error: unknown) => {
          if (this.#closed) return;
          this.#failures++;
          this.#closed = this.#failures >= maxFailures; // sessions start their own, and say what is wrong
          this.#options.onError(error);
        },
      )
      .finally(() => {
        this.#starting = undefined;
        this.fill();
      })
      .catch(this.#options.onError);
  }

  /** A worker that is ready, now owned by `listener`; undefined when there is none. */
  take(listener: WorkerListener): WorkerLink | undefined {
    const [link] = this.#idle;
    setImmediate(() => this.fill()); // also after one died while it waited
    if (link === undefined) return undefined;
    this.#idle.delete(link);
    link.adopt(listener);
    return link;
  }

  /** Workers are to be started in another way from now on: those that wait are replaced. */
  renew(): void {
    this.#generation++;
    for (const link of this.#idle) link.stop().catch(this.#options.onError);
    this.#idle.clear();
    this.fill();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#all.map((link) => link.stop()));
  }

  kill(): void {
    this.#closed = true;
    for (const link of this.#all) link.kill();
  }

  get #all(): WorkerLink[] {
    return this.#starting === undefined ? [...this.#idle] : [...this.#idle, this.#starting];
  }
}

/** Listens to a worker that belongs to no session yet: it should say nothing. */
const unowned = (exited: () => void): WorkerListener => ({
  run: (read) => read(),
  segment: () => {},
  noise: () => {},
  pressure: () => undefined,
  failed: () => {}, // it is ended, and never used
  exited,
});
