// The place of a session's worker: empty, starting, ready or stopping, and never two at once. A worker
// that keeps dying is not started again at once: who asks is told when.
import type { WorkerLink } from "./worker-link.ts";

type State =
  | { is: "empty"; failure?: string }
  | { is: "starting"; link: WorkerLink | undefined; ready: Promise<WorkerLink>; stop: AbortController }
  | { is: "ready"; link: WorkerLink }
  | { is: "stopping"; link: WorkerLink; stopped: Promise<void> };

export interface SlotOptions {
  /** Resolves, with what is added to its command, when a worker may be started; a person may have to say so first. */
  clear(signal: AbortSignal): Promise<readonly string[]>;
  /** Resolves when there is room for another worker; rejects, in words, when there is none. */
  admit(): Promise<void>;
  /** `fallback`: in the other way there is, because it did not start in the first. */
  launch(fallback: boolean, added: readonly string[]): WorkerLink;
  readonly hasFallback: boolean;
  /** Makes a launched worker ready; rejects when it is of no use. */
  greet(link: WorkerLink): Promise<void>;
  changed(): void;
}

/** So many deaths in a row, each soon after the start, are a loop and not bad luck. */
const loopLength = 3;
/** A worker that lived this long was well. */
const healthyMs = 60_000;
const firstPauseMs = 2_000;
const longestPauseMs = 60_000;

export class WorkerSlot {
  readonly #options: SlotOptions;
  #state: State = { is: "empty" };
  /** Only the other way works. */
  #fallback = false;
  /** In the first way, and there is another. */
  #diedAtStart = false;
  /** What is added to its command this time. */
  #added: readonly string[] = [];
  #launchedAt = 0;
  #deaths = 0;
  #notBefore = 0;

  constructor(options: SlotOptions) {
    this.#options = options;
  }

  get is(): State["is"] {
    return this.#state.is;
  }

  /** Why there is no worker, when that is nobody's wish. */
  get failure(): string | undefined {
    return this.#state.is === "empty" ? this.#state.failure : undefined;
  }

  get ready(): WorkerLink | undefined {
    return this.#state.is === "ready" ? this.#state.link : undefined;
  }

  /** The process there is, in whatever state. */
  get link(): WorkerLink | undefined {
    return this.#state.is === "empty" ? undefined : this.#state.link;
  }

  /** The ready worker, started if there is none. Concurrent callers share one start. */
  async ensure(): Promise<WorkerLink> {
    if (this.#state.is === "stopping") await this.#state.stopped;
    if (this.#state.is === "ready") return this.#state.link;
    if (this.#state.is === "starting") return this.#state.ready;
    this.#refuseLoop();
    const stop = new AbortController();
    const ready = this.#start(stop.signal);
    this.#set({ is: "starting", link: undefined, ready, stop });
    return ready;
  }

  async stop(): Promise<void> {
    // Before there is a process there is nothing to stop; it will be there in a moment, unless a person is asked first.
    if (this.#state.is === "starting" && this.#state.link === undefined) {
      this.#state.stop.abort();
      await this.#state.ready.catch(() => {});
    }
    if (this.#state.is === "empty") return this.#set({ is: "empty" }); // nothing left to explain
    if (this.#state.is !== "stopping" && this.#state.link !== undefined) {
      const { link } = this.#state;
      this.#set({ is: "stopping", link, stopped: link.stop() });
    }
    if (this.#state.is === "stopping") await this.#state.stopped;
  }

  kill(): void {
    this.link?.kill();
  }

  /** Whatever it dies of now, it is tried in the other way, and nobody need know. */
  get willRetryInFallback(): boolean {
    return this.#state.is === "starting" && this.#options.hasFallback && !this.#fallback;
  }

  /** The process is gone. */
  workerExited(failure: string | undefined): void {
    this.#diedAtStart = failure !== undefined && this.willRetryInFallback;
    if (this.#diedAtStart) return;
    this.#countDeath(failure !== undefined);
    this.#set(failure === undefined ? { is: "empty" } : { is: "empty", failure });
  }

  async #start(signal: AbortSignal): Promise<WorkerLink> {
    try {
      await this.#options.admit(); // first, and at once: those that start together are counted in their order
      this.#added = await this.#options.clear(signal);
    } catch (error) {
      this.#set({ is: "empty", failure: error instanceof Error ? error.message : String(error) });
      throw error;
    }
    try {
      return await this.#attempt();
    } catch (error) {
      if (!this.#diedAtStart) throw error;
      this.#diedAtStart = false;
      return await this.#attemptFallback();
    }
  }

  async #attemptFallback(): Promise<WorkerLink> {
    this.#fallback = true;
    try {
      return await this.#attempt();
    } catch (error) {
      this.#fallback = false; // that was not it
      throw error;
    }
  }

  async #attempt(): Promise<WorkerLink> {
    this.#launchedAt = performance.now();
    const link = this.#launch();
    if (this.#state.is === "starting") this.#set({ ...this.#state, link });
    try {
      await this.#options.greet(link);
    } catch (error) {
      await link.stop(); // also when it was not the worker that failed: the store, say
      throw error;
    }
    if (this.#state.is === "starting") this.#set({ is: "ready", link });
    return link;
  }

  /** A command that the system refuses (a model with a NUL, arguments that are too long) leaves no process that could exit. */
  #launch(): WorkerLink {
    try {
      return this.#options.launch(this.#fallback, this.#added);
    } catch (error) {
      // Not the error's own message: it may quote an argument.
      const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
      const failure = `The worker could not be started: the system refused its command${code}. Check the model of the session and the worker's command.`;
      this.#countDeath(true);
      this.#set({ is: "empty", failure });
      throw new Error(failure, { cause: error });
    }
  }

  #countDeath(died: boolean): void {
    const lived = performance.now() - this.#launchedAt;
    this.#deaths = died && lived < healthyMs ? this.#deaths + 1 : 0;
    if (this.#deaths < loopLength) return;
    const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** (this.#deaths - loopLength));
    this.#notBefore = performance.now() + pause;
  }

  #refuseLoop(): void {
    const wait = this.#notBefore - performance.now();
    if (wait <= 0) return;
    const seconds = Math.ceil(wait / 1000);
    throw new Error(
      `The worker died ${this.#deaths} times in a row. Try again in ${seconds} s, or look at its last words first.`,
    );
  }

  #set(state: State): void {
    this.#state = state;
    this.#options.changed();
  }
}
