// The lifecycle of a session's worker: empty, starting, ready or stopping, and never two at once. After repeated
// deaths a start is refused for a while, with the time to wait.
import type { WorkerLink } from "./worker-link.ts";

type State =
  | { is: "empty"; failure?: string }
  | { is: "starting"; link: WorkerLink | undefined; ready: Promise<WorkerLink>; stop: AbortController }
  | { is: "ready"; link: WorkerLink }
  | { is: "stopping"; link: WorkerLink; stopped: Promise<void> };

export interface SlotOptions {
  /** Resolves with the arguments to add to the command; may wait for a person's permission. */
  authorize(signal: AbortSignal): Promise<readonly string[]>;
  /** Resolves when another worker may be started; rejects with a sentence for a person at the limit. */
  admit(): Promise<void>;
  /** `fallback`: with the profile's fallback command, because the first did not start. */
  launch(fallback: boolean, added: readonly string[]): WorkerLink;
  readonly hasFallback: boolean;
  /** Makes a launched worker ready; rejects when it cannot be used. */
  greet(link: WorkerLink): Promise<void>;
  changed(): void;
}

/** So many deaths in a row, each soon after the start, are a crash loop. */
const loopLength = 3;
/** A worker that ran this long was healthy: its death is not part of a crash loop. */
const healthyMs = 60_000;
const firstPauseMs = 2_000;
const longestPauseMs = 60_000;

export class WorkerSlot {
  readonly #options: SlotOptions;
  #state: State = { is: "empty" };
  /** The fallback command worked where the first did not. */
  #fallback = false;
  /** The first command died at its start, and the fallback is still to be tried. */
  #diedAtStart = false;
  /** Arguments added to the command of this start. */
  #added: readonly string[] = [];
  #launchedAt = 0;
  #deaths = 0;
  #isClosed = false;
  #notBefore = 0;

  constructor(options: SlotOptions) {
    this.#options = options;
  }

  get is(): State["is"] {
    return this.#state.is;
  }

  /** Why there is no worker; undefined when it was stopped on request. */
  get failure(): string | undefined {
    return this.#state.is === "empty" ? this.#state.failure : undefined;
  }

  get ready(): WorkerLink | undefined {
    return this.#state.is === "ready" ? this.#state.link : undefined;
  }

  /** The current process, in any state. */
  get link(): WorkerLink | undefined {
    return this.#state.is === "empty" ? undefined : this.#state.link;
  }

  /** No worker is started from now on. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.stop();
  }

  /** The ready worker, started if there is none. Concurrent callers share one start. */
  async ensure(): Promise<WorkerLink> {
    if (this.#state.is === "stopping") await this.#state.stopped;
    if (this.#state.is === "ready") return this.#state.link;
    if (this.#state.is === "starting") return this.#state.ready;
    if (this.#isClosed) throw new Error("The session is being closed, so the agent was not started.");
    this.#refuseLoop();
    const stop = new AbortController();
    const ready = this.#start(stop.signal);
    this.#set({ is: "starting", link: undefined, ready, stop });
    return ready;
  }

  async stop(): Promise<void> {
    // There is no process yet: abort a question to a person, or wait for the launch; its process is stopped below.
    if (this.#state.is === "starting" && this.#state.link === undefined) {
      this.#state.stop.abort();
      await this.#state.ready.catch(() => {});
    }
    if (this.#state.is === "empty") return this.#set({ is: "empty" }); // clears the failure
    if (this.#state.is !== "stopping" && this.#state.link !== undefined) {
      const { link } = this.#state;
      this.#set({ is: "stopping", link, stopped: link.stop() });
    }
    if (this.#state.is === "stopping") await this.#state.stopped;
  }

  kill(): void {
    this.link?.kill();
  }

  /** If the worker dies now, the fallback is tried, so viewers are not shown the failure. */
  get willRetryInFallback(): boolean {
    return this.#state.is === "starting" && this.#options.hasFallback && !this.#fallback;
  }

  /** The process has ended. */
  workerExited(failure: string | undefined): void {
    this.#diedAtStart = failure !== undefined && this.willRetryInFallback;
    if (this.#diedAtStart) return;
    this.#countDeath(failure !== undefined);
    this.#set(failure === undefined ? { is: "empty" } : { is: "empty", failure });
  }

  async #start(signal: AbortSignal): Promise<WorkerLink> {
    try {
      await this.#options.admit(); // first and synchronously, so that simultaneous starts are counted in order
      this.#added = await this.#options.authorize(signal);
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
      this.#fallback = false; // the fallback does not help either
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
      await link.stop(); // the failure may be the store's, with a healthy worker left running
      throw error;
    }
    // A worker that ends while it is greeted answers everything with a failure, which greeting may survive.
    if (this.#state.is !== "starting" || this.#state.link !== link)
      throw new Error("The agent was stopped before it was ready.");
    this.#set({ is: "ready", link });
    return link;
  }

  /** If the system refuses the command (a model with a NUL, arguments that are too long), no exit event follows. */
  #launch(): WorkerLink {
    try {
      return this.#options.launch(this.#fallback, this.#added);
    } catch (error) {
      // Not the error's own message: it may quote an argument.
      const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
      const failure = `The agent could not be started: the system refused its command${code}. Check the session's model and the agent's command.`;
      this.#countDeath(true);
      this.#set({ is: "empty", failure });
      throw new Error(failure, { cause: error });
    }
  }

  #countDeath(died: boolean): void {
    const uptime = performance.now() - this.#launchedAt;
    this.#deaths = died && uptime < healthyMs ? this.#deaths + 1 : 0;
    if (this.#deaths < loopLength) return;
    const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** (this.#deaths - loopLength));
    this.#notBefore = performance.now() + pause;
  }

  #refuseLoop(): void {
    const wait = this.#notBefore - performance.now();
    if (wait <= 0) return;
    const seconds = Math.ceil(wait / 1000);
    throw new Error(
      `The agent crashed ${this.#deaths} times in a row. Try again in ${seconds} s, or check its last output first.`,
    );
  }

  #set(state: State): void {
    this.#state = state;
    this.#options.changed();
  }
}
