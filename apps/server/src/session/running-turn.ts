// The turn that keeps a session busy, from the moment it is chosen: what was given to the worker, and what
// of it the log already shows.
import type { Task } from "./queue.ts";
import type { WorkerLink } from "./worker-link.ts";

export type Origin = "direct" | "queue";

interface Common {
  task: Task;
  /** Prompts that begin the same turn. */
  also: readonly Task[];
  /** Those of them that the log does not show yet, so they are kept elsewhere too. */
  unrecorded: Set<Task>;
}
export type Starting = Common & { state: "starting"; from: Origin; aborted: boolean };
export type Sent = Common & { state: "sent"; from: Origin; aborted: boolean; worker: WorkerLink };
export type Running = Starting | Sent | (Common & { state: "started"; worker: WorkerLink });

/** The key comes back in the prompt's `user_message`; workers that do not know it ignore it. */
export const commandFor = (task: Task, also: readonly Task[]) => ({
  ...task.payload,
  ...(task.command === "prompt" ? { key: task.id } : {}),
  ...(also.length > 0 ? { also: also.map(({ payload, id }) => ({ ...payload, key: id })) } : {}),
  type: task.command,
});

/** Their senders were told that they wait or have started, and the log shows nothing of them. */
export function neverBegan(running: Running): Task[] {
  if (running.state === "starting") return [];
  const tasks = [...running.unrecorded];
  if (running.state === "started") return tasks.filter(({ command }) => command === "prompt");
  return running.from === "queue" ? tasks : [];
}

/** A message of a person is in the log. True when that tells of one of this turn's tasks. */
export function seenInLog(running: Running | null, key: string | undefined, steering: boolean): boolean {
  if (running?.state !== "started" || (key === undefined && steering)) return false;
  // Only the built-in worker gives keys back; others are given one prompt at a time.
  const task = key === undefined ? running.task : [...running.unrecorded].find(({ id }) => id === key);
  return task !== undefined && running.unrecorded.delete(task);
}
