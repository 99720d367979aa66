// Prompts that wait for the running turn to end. The server holds the queue, shows it to every viewer, and lets any
// viewer edit it. A prompt of unknown fate (given to a worker that died) is set aside until a person decides.
import type { Author, ErrorCode, QueueItem } from "@patchbay/protocol";
import type { QueuedTask } from "../../store/owned-session.ts";

/** A prompt or compaction of a viewer, before it is given to the worker. */
export interface Task extends QueuedTask {
  /** These three answer the viewer; only the first call counts. */
  started(data: unknown): void;
  waits(): void;
  fail(error: string, code?: ErrorCode): void;
  /** It is saved: whatever happens now, it is known. */
  accepted?(): void;
  /** A viewer removed it from the queue. */
  removed?(): void;
}

interface QueueLimits {
  items: number;
  bytes: number;
}

/** Every change sends the queue to every viewer, so a longer message is cut. */
const longestShown = 20_000;

const isRunnable = ({ fate }: Task): boolean => fate === undefined;

/** Text and images are nearly all of a large task. */
function sizeOf({ payload }: QueuedTask): number {
  const message = typeof payload["message"] === "string" ? payload["message"].length : 0;
  const images = Array.isArray(payload["images"]) ? payload["images"] : [];
  return images.reduce<number>((sum, image) => sum + lengthOf(image), message);
}

const lengthOf = (image: unknown): number =>
  typeof image === "object" && image !== null && "data" in image && typeof image.data === "string"
    ? image.data.length
    : 0;

export class TaskQueue {
  readonly #limits: QueueLimits;
  readonly #tasks: Task[];

  constructor(limits: QueueLimits, tasks: readonly Task[]) {
    this.#limits = limits;
    this.#tasks = [...tasks];
  }

  /** How many tasks can run; those of unknown fate do not count. */
  get length(): number {
    return this.#tasks.filter(isRunnable).length;
  }

  hasRoomFor(task: Task): boolean {
    const { items, bytes } = this.#limits;
    const known = this.#tasks.reduce((sum, each) => sum + sizeOf(each), 0);
    return this.#tasks.length < items && known + sizeOf(task) <= bytes;
  }

  get tasks(): readonly Task[] {
    return this.#tasks;
  }

  items(): QueueItem[] {
    return this.#tasks.map(({ id, command, message, images, queued_at, fate, by }) => ({
      id,
      command,
      message: message.slice(0, longestShown),
      images,
      queued_at,
      ...(message.length > longestShown ? { cut: true } : {}),
      ...(fate === undefined ? {} : { fate }),
      ...(by === undefined ? {} : { by }),
    }));
  }

  push(task: Task): void {
    this.#tasks.push(task);
  }

  /** Puts tasks before all others, in their order, and answers their senders that they wait. */
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

  /** Marks the fate of tasks as unknown until a person decides, and answers their senders that they wait. */
  setAside(tasks: readonly Task[]): void {
    for (const task of tasks.toReversed()) {
      task.fate = "unknown";
      this.unshift(task);
      task.waits();
    }
  }

  /** A person decided to run a task of unknown fate. False when there is none of that id. */
  decide(id: string): boolean {
    const task = this.#tasks.find((known) => known.id === id && known.fate !== undefined);
    if (task === undefined) return false;
    delete task.fate;
    task.sent_seq = null;
    return true;
  }

  /** Removes the next task that can run. */
  shift(): Task | undefined {
    const next = this.#tasks.find(isRunnable);
    return next && this.remove(next.id);
  }

  /** Removes the next prompts that can share a turn. */
  shiftPrompts(): Task[] {
    const waiting = this.#tasks.filter(isRunnable);
    const end = waiting.findIndex((task) => !canShare(task));
    return waiting.slice(0, end === -1 ? waiting.length : end).flatMap(({ id }) => this.remove(id) ?? []);
  }

  remove(id: string): Task | undefined {
    const index = this.#tasks.findIndex((task) => task.id === id);
    return index === -1 ? undefined : this.#tasks.splice(index, 1)[0];
  }

  /** Replaces the text of a prompt; false when there is none of that id. */
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

/** Slash commands begin a turn of their own; other prompts can share one. */
export const canShare = ({ command, message }: QueuedTask): boolean =>
  command === "prompt" && !message.trimStart().startsWith("/");

/** The task as the store keeps it. Written out, because a prompt waits for it: taking the rest of an object is slow. */
export function plainTask(task: Task): QueuedTask {
  const { id, command, message, images, queued_at, payload, viewer, command_id, sent_seq } = task;
  const plain: QueuedTask = {
    id,
    command,
    message,
    images,
    queued_at,
    payload,
    viewer,
    command_id,
    sent_seq,
  };
  if (task.fate !== undefined) plain.fate = task.fate;
  if (task.by !== undefined) plain.by = task.by;
  if (task.tracked !== undefined) plain.tracked = task.tracked;
  return plain;
}

/** Whose task it is; nothing on a server without people. */
export const authorship = (author: Author): Pick<QueueItem, "by"> =>
  author.person === undefined ? {} : { by: author };

/** A task loaded from the store: its sender was answered before. */
export const restoredTask = (task: QueuedTask): Task => ({
  ...task,
  started: () => {},
  waits: () => {},
  fail: () => {},
});
