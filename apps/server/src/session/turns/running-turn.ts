// The turn that keeps a session busy, from the moment it is chosen: what was given to the worker, and what
// of it the worker and the log have shown since.

import type { WorkerLink } from "../worker/worker-link.ts";
import type { Task } from "./queue.ts";

export type Origin = "direct" | "queue";

interface Common {
  task: Task;
  /** Prompts that begin the same turn. */
  also: readonly Task[];
  /** Those of them that the worker has not shown yet. */
  unseen: Set<Task>;
}
/** Told to stop before it started: by a person, or because another prompt takes its place. */
type Aborted = "stopped" | "replaced" | null;
export type Starting = Common & { state: "starting"; from: Origin; aborted: Aborted };
export type Sent = Common & { state: "sent"; from: Origin; aborted: Aborted; worker: WorkerLink };
type Started = Common & { state: "started"; worker: WorkerLink; isStopping: boolean };
export type Running = Starting | Sent | Started;

/** The key comes back in the prompt's `user_message`; workers that do not know it ignore it. */
export const commandFor = (task: Task, also: readonly Task[]) => ({
  ...task.payload,
  ...(task.command === "prompt" ? { key: task.id } : {}),
  ...(also.length > 0 ? { also: also.map(({ payload, id }) => ({ ...payload, key: id })) } : {}),
  type: task.command,
});

/**
 * The worker is gone. These were given to it, their senders know them as accepted, and nothing shows whether they had
 * begun. One that was sent directly and not answered is not among them: its sender is told that it failed.
 */
export function withUnknownFate(running: Running): Task[] {
  if (running.state === "starting") return [];
  const unseen = [...running.unseen];
  if (running.state === "started") return unseen.filter(({ command }) => command === "prompt");
  return running.from === "queue" ? unseen : [];
}

/** The worker shows a person's message: the task of this turn that it is, if it is one. */
export function shownTask(
  running: Running | null,
  key: string | undefined,
  steering: boolean,
): Task | undefined {
  if (running?.state !== "started" || (key === undefined && steering)) return undefined;
  // Only the built-in worker gives keys back; others are given one prompt at a time.
  const task = key === undefined ? running.task : [...running.unseen].find(({ id }) => id === key);
  return task !== undefined && running.unseen.delete(task) ? task : undefined;
}
