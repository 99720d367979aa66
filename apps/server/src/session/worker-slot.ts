// The place of a session's worker: empty, starting, ready or stopping, and never two at once.
import type { WorkerLink } from "./worker-link.ts";

type State =
  | { is: "empty"; failure?: string }
  | { is: "starting"; link: WorkerLink; ready: Promise<WorkerLink> }
  | { is: "ready"; link: WorkerLink }
  | { is: "stopping"; link: WorkerLink; gone: Promise<void> };

export interface SlotOptions {
  launch(): WorkerLink;
  /** Makes a launched worker ready; a rejection means that it failed and is gone. */
  greet(link: WorkerLink): Promise<void>;
  changed(): void;
}

export class WorkerSlot {
  readonly #options: SlotOptions;
  #state: State = { is: "empty" };

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

  /** The ready worker, started if there is none. Concurrent callers share one start. */
  async ensure(): Promise<WorkerLink> {
    if (this.#state.is === "stopping") await this.#state.gone;
    if (this.#state.is === "ready") return this.#state.link;
    if (this.#state.is === "starting") return this.#state.ready;
    const link = this.#options.launch();
    const ready = this.#options.greet(link).then(() => {
      if (this.#state.is === "starting") this.#set({ is: "ready", link });
      return link;
    });
    this.#set({ is: "starting", link, ready });
    return ready;
  }

  async stop(): Promise<void> {
    if (this.#state.is === "empty") return this.#set({ is: "empty" }); // nothing left to explain
    if (this.#state.is !== "stopping") {
      const { link } = this.#state;
      this.#set({ is: "stopping", link, gone: link.stop() });
    }
    if (this.#state.is === "stopping") await this.#state.gone;
  }

  kill(): void {
    if (this.#state.is !== "empty") this.#state.link.kill();
  }

  /** The process is gone. */
  vacate(failure: string | undefined): void {
    this.#set(failure === undefined ? { is: "empty" } : { is: "empty", failure });
  }

  #set(state: State): void {
    this.#state = state;
    this.#options.changed();
  }
}
