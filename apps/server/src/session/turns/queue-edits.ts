// Edits of queued prompts by viewers, saved before they are answered. False: the prompt is no longer queued.
import type { Task, TaskQueue } from "./queue.ts";

export class QueueEdits {
  readonly #queue: TaskQueue;
  readonly #changed: () => void;
  readonly #save: () => Promise<void>;
  readonly #removed: (task: Task) => Promise<void> | undefined;

  constructor(
    queue: TaskQueue,
    changed: () => void,
    save: () => Promise<void>,
    removed: (task: Task) => Promise<void> | undefined,
  ) {
    this.#queue = queue;
    this.#changed = changed;
    this.#save = save;
    this.#removed = removed;
  }

  async remove(item: string): Promise<boolean> {
    const task = this.#queue.remove(item);
    if (task === undefined) return false;
    task.removed?.();
    this.#changed();
    await this.#removed(task);
    await this.#save();
    return true;
  }

  move(item: string, to: number): Promise<boolean> {
    return this.#change(() => this.#queue.move(item, to));
  }

  edit(item: string, message: string): Promise<boolean> {
    return this.#change(() => this.#queue.edit(item, message));
  }

  /** Runs a prompt of unknown fate again, though it may have run before. */
  retry(item: string): Promise<boolean> {
    return this.#change(() => this.#queue.decide(item));
  }

  async #change(change: () => boolean): Promise<boolean> {
    if (!change()) return false;
    this.#changed();
    await this.#save();
    return true;
  }
}
