// What a session's turns need of it.
import type { Limits } from "../../config/config-file.ts";
import type { QueuedTask } from "../../store/store.ts";
import type { Journal } from "../log/journal.ts";
import type { Keeper } from "../session-writes.ts";
import type { WorkerLink } from "../worker/worker-link.ts";
import type { Task } from "./queue.ts";

/** Where tasks are kept. */
export const keptBy = (keep: Keeper): Pick<TurnsOptions, "keep" | "save" | "saveSoon" | "saveFailed"> => ({
  keep: (task) => keep.task(task),
  save: (tasks) => keep.queue(tasks),
  saveSoon: (tasks) => keep.queueSoon(tasks),
  saveFailed: (error) => keep.report(error, "the queue could not be saved"),
});

/** Where frames get their numbers. */
export const numberedBy = (journal: Journal): Pick<TurnsOptions, "afterRun" | "seq"> => ({
  afterRun: (action) => journal.afterThisRun(action),
  seq: () => journal.seq,
});

export interface TurnsOptions {
  limits: Limits;
  /** What waited when the session was last open. */
  waiting: readonly Task[];
  /** It waited because of a budget, and viewers know. */
  wasHeld: boolean;
  /** Keeps a task that is on its way to the worker. */
  keep(task: QueuedTask): Promise<void>;
  /** Keeps what has been accepted and has not started, and nothing else. */
  save(tasks: readonly QueuedTask[]): Promise<void>;
  /** The same, a little later: until then a started task is kept needlessly, which the log tells. */
  saveSoon(tasks: () => readonly QueuedTask[]): void;
  saveFailed(error: unknown): void;
  /** When the frames of the run that is being read are in the log. */
  afterRun(action: () => void): void;
  /** The newest frame. */
  seq(): number;
  worker(): Promise<WorkerLink>;
  /** The worker, if it need not be started. */
  readyWorker(): WorkerLink | undefined;
  /** Whether prompts that wait side by side share a turn. */
  joins(): boolean;
  /** Why nothing may start now, for a person; undefined: it may. */
  refusal(): string | undefined;
  /** A turn begins. */
  began(): void;
  /** The running turn is told to stop. */
  stopRequested(): void;
  /** What waits does not start, and why. */
  held(why: string): void;
  changed(): void;
  queueChanged(): void;
}
