// Prompts waiting for the running turn to end. Held by the server, shown to every viewer, and edited
// by any of them.
import type { QueueItem } from "@patchbay/protocol";
import type { QueuedTask } from "../store/store.ts";

/** What a viewer asked for, before it is given to the worker. */
export interface Task extends QueuedTask {
  /** Tell the viewer what became of it; the first of all calls counts. */
  started(data: unknown): void;
  waits(): void;
  fail(error: string): void;
  /** Somebody took it out of the queue. */
  removed?(): void;
}

export class TaskQueue {
  readonly #limit: number;
  readonly #tasks: Task[];

  constructor(limit: number, tasks: readonly Task[]) {
    this.#limit = limit;
    this.#tasks = [...tasks];
  }

  get length(): number {
    return this.#tasks.length;
  }

  get isFull(): boolean {
    return this.#tasks.length >= this.#limit;
  }

  get tasks(): readonly Task[] {
    return this.#tasks;
  }

  items(): QueueItem[] {
    return this.#tasks.map(({ id, command, message, images, queued_at }) => ({
      id,
      command,
      message,
      images,
      queued_at,
    }));
  }

  push(task: Task): void {
    this.#tasks.push(task);
  }

  /** Before all others, in their order; whoever sent them is told that they wait. */
  putBack(tasks: readonly Task[]): void {
    for (const task of tasks.toReversed()) {
      task.sent_seq = null;
      this.unshift(task);
      task.waits();
    }
  }

  unshift(task: Task): void {
    this.#tasks.unshift(task);
  }

  shift(): Task | undefined {
    return this.#tasks.shift();
  }

  /** The prompts that stand first and can share a turn. */
  shiftPrompts(): Task[] {
    const end = this.#tasks.findIndex((task) => !canShare(task));
    return this.#tasks.splice(0, end === -1 ? this.#tasks.length : end);
  }

  remove(id: string): Task | undefined {
    const index = this.#tasks.findIndex((task) => task.id === id);
    return index === -1 ? undefined : this.#tasks.splice(index, 1)[0];
  }

  /** Other words for a prompt; false when there is none of that id. */
  edit(id: string, message: string): boolean {
    const task = this.#tasks.find((known) => known.id === id && known.command === "prompt");
    if (task === undefined) return false;
    task.message = message;
    task.payload = { ...task.payload, message };
    return true;
  }

  move(id: string, to: number): boolean {
    const task = this.remove(id);
    if (task === undefined) return false;
    this.#tasks.splice(Math.min(to, this.#tasks.length), 0, task);
    return true;
  }
}

/** A prompt that is no slash command, which begins a turn of its own. */
export const canShare = ({ command, message }: QueuedTask): boolean =>
  command === "prompt" && !message.trimStart().startsWith("/");

/** As the store keeps it. */
export const plainTask = ({
  started: _started,
  waits: _waits,
  fail: _fail,
  removed: _removed,
  ...task
}: Task): QueuedTask => task;

/** For tasks from before the server was started. */
export const answeredLongAgo = { started: () => {}, waits: () => {}, fail: () => {} };
