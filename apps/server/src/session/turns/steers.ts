// Messages on their way into the running turn: saved, then given to the worker, then seen in the log. One
// that the worker no longer takes, because its turn is over, goes back to where turns begin.

import type { WorkerLink } from "../worker/worker-link.ts";
import type { Task } from "./queue.ts";

interface SteersOptions {
  /** The turn was over before it came. */
  refused(task: Task): void;
}

type Steer = { task: Task; state: "saving" | "saved" | "given" };

export class Steers {
  readonly #options: SteersOptions;
  #steers: Steer[] = [];
  /** The worker of the turn that can be steered. */
  #worker: WorkerLink | null = null;

  constructor(options: SteersOptions) {
    this.#options = options;
  }

  get length(): number {
    return this.#steers.length;
  }

  get tasks(): Task[] {
    return this.#steers.map(({ task }) => task);
  }

  add(task: Task): void {
    this.#steers.push({ task, state: "saving" });
  }

  saved(task: Task): void {
    const steer = this.#steers.find((known) => known.task === task);
    if (steer === undefined) return;
    steer.state = "saved";
    this.#giveSaved();
  }

  /** False when it is none of these. */
  remove(id: string): boolean {
    return this.take(id) !== undefined;
  }

  take(id: string): Task | undefined {
    const [taken] = this.#take(({ task }) => task.id === id);
    return taken;
  }

  /** A turn has started. */
  open(worker: WorkerLink): void {
    this.#worker = worker;
    this.#giveSaved();
  }

  /** It is over. What the worker was not given is handed back; what it has, it keeps for its next turn. */
  shut(): Task[] {
    this.#worker = null;
    return this.#take((steer) => steer.state !== "given");
  }

  /** The worker is gone, and what it had with it. */
  takeAll(): Task[] {
    this.#worker = null;
    return this.#take(() => true);
  }

  #take(which: (steer: Steer) => boolean): Task[] {
    const taken = this.#steers.filter(which);
    this.#steers = this.#steers.filter((steer) => !which(steer));
    return taken.map(({ task }) => task);
  }

  /** In the order in which they came: one that is still being saved holds up those behind it. */
  #giveSaved(): void {
    for (const steer of this.#steers) {
      if (this.#worker === null || steer.state === "saving") return;
      if (steer.state === "saved") this.#give(steer, this.#worker);
    }
  }

  #give(steer: Steer, worker: WorkerLink): void {
    const { task } = steer;
    steer.state = "given";
    worker.request({ ...task.payload, type: "steer", key: task.id, ifRunning: true }, (response) => {
      if (response.success) return task.started({ started: false, steered: true });
      // A worker that has died is heard of elsewhere, and has taken them all back by then.
      if (this.remove(task.id)) this.#options.refused(task);
    });
  }
}
