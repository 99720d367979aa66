// Built-in workers started ahead, so that a new session is ready in a few milliseconds. A pooled worker
// has answered hello and has no directory and no session yet; it gets them with `begin`.
import type { WorkerListener } from "./worker-link.ts";
import { WorkerLink } from "./worker-link.ts";

interface PoolOptions {
  size: number;
  /** Starts a worker that belongs to no session yet. */
  launch(listener: WorkerListener): WorkerLink;
  startMs: number;
  onError(error: unknown): void;
}

/** In a row. One failure may be an accident; more have a cause. */
const maxFailures = 3;

export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #idle = new Set<WorkerLink>();
  #closed = false;
  #failures = 0;
  /** Incremented when the way of starting workers changes. */
  #generation = 0;
  /** Has not answered hello yet. */
  #starting: WorkerLink | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Starts missing workers, one at a time, so that they do not slow down running sessions. */
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
          this.#closed = this.#failures >= maxFailures; // sessions start workers themselves and show the problem
          this.#options.onError(error);
        },
      )
      .finally(() => {
        this.#starting = undefined;
        this.fill();
      })
      .catch(this.#options.onError);
  }

  /** A ready worker, now owned by `listener`; undefined when there is none. */
  take(listener: WorkerListener): WorkerLink | undefined {
    const [link] = this.#idle;
    setImmediate(() => this.fill()); // also replaces one that died in the pool
    if (link === undefined) return undefined;
    this.#idle.delete(link);
    link.adopt(listener);
    return link;
  }

  /** The way of starting workers has changed: pooled workers are replaced. */
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

/** The listener of a worker that belongs to no session yet. Its output is ignored. */
const unowned = (exited: () => void): WorkerListener => ({
  run: (read) => read(),
  segment: () => {},
  noise: () => {},
  pressure: () => undefined,
  failed: () => {}, // it is ended, and never used
  exited,
});
