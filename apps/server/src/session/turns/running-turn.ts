// The running turn, from the moment its task is chosen: the tasks given to the worker, and those that the worker has
// not shown yet.

import type { WorkerLink } from "../worker/worker-link.ts";
import type { Task } from "./queue.ts";

export type Origin = "direct" | "queue";

interface Common {
  task: Task;
  /** Prompts that begin the same turn. */
  also: readonly Task[];
  /** Tasks of the turn that the worker has not shown yet. */
  unseen: Set<Task>;
}
/** Aborted before it started: stopped by a person, or replaced by another prompt. */
type Aborted = "stopped" | "replaced" | null;
export type Starting = Common & { state: "starting"; from: Origin; aborted: Aborted };
export type Sent = Common & { state: "sent"; from: Origin; aborted: Aborted; worker: WorkerLink };
type Started = Common & { state: "started"; worker: WorkerLink; isStopping: boolean };
export type Running = Starting | Sent | Started;

/** The worker returns the key in the prompt's `user_message`; workers that do not know keys ignore it. */
export const commandFor = (task: Task, also: readonly Task[]) => ({
  ...task.payload,
  ...(task.command === "prompt" ? { key: task.id } : {}),
  ...(also.length > 0 ? { also: also.map(({ payload, id }) => ({ ...payload, key: id })) } : {}),
  type: task.command,
});

/**
 * The tasks that an ended worker had been given and that were accepted, but not shown by the worker. A task that was sent
 * directly and not answered is not among them: its sender gets a failure.
 */
export function withUnknownFate(running: Running): Task[] {
  if (running.state === "starting") return [];
  const unseen = [...running.unseen];
  if (running.state === "started") return unseen.filter(({ command }) => command === "prompt");
  return running.from === "queue" ? unseen : [];
}

/** The task of this turn that a `user_message` belongs to, if any. */
export function shownTask(
  running: Running | null,
  key: string | undefined,
  steering: boolean,
): Task | undefined {
  if (running?.state !== "started" || (key === undefined && steering)) return undefined;
  // Only the built-in worker returns keys; other workers get one prompt at a time.
  const task = key === undefined ? running.task : [...running.unseen].find(({ id }) => id === key);
  return task !== undefined && running.unseen.delete(task) ? task : undefined;
}
