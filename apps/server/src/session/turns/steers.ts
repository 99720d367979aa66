// Steering messages for the running turn: saved, then given to the worker, then seen in the log. A message that
// the worker refuses because its turn is over goes back to the queue.

import type { WorkerLink } from "../worker/worker-link.ts";
import type { Task } from "./queue.ts";

interface SteersOptions {
  /** The worker is given the message next. */
  giving(task: Task): void;
  /** The turn ended before the message arrived. */
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

  /** False when there is none of that id. */
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

  /** The turn has ended. Returns what was not given to the worker; the worker keeps the rest for its next turn. */
  shut(): Task[] {
    this.#worker = null;
    return this.#take((steer) => steer.state !== "given");
  }

  /** The worker has ended, and lost what it was given. */
  takeAll(): Task[] {
    this.#worker = null;
    return this.#take(() => true);
  }

  #take(which: (steer: Steer) => boolean): Task[] {
    const taken = this.#steers.filter(which);
    this.#steers = this.#steers.filter((steer) => !which(steer));
    return taken.map(({ task }) => task);
  }

  /** In order of arrival: a message that is still being saved holds back those behind it. */
  #giveSaved(): void {
    for (const steer of this.#steers) {
      if (this.#worker === null || steer.state === "saving") return;
      if (steer.state === "saved") this.#give(steer, this.#worker);
    }
  }

  #give(steer: Steer, worker: WorkerLink): void {
    const { task } = steer;
    steer.state = "given";
    this.#options.giving(task);
    worker.request({ ...task.payload, type: "steer", key: task.id, ifRunning: true }, (response) => {
      if (response.success) return task.started({ started: false, steered: true });
      // When the worker has ended, `takeAll` has removed the message before.
      if (this.remove(task.id)) this.#options.refused(task);
    });
  }
}
