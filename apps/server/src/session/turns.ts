// One turn at a time: gives the worker a prompt or a compaction when it is free, queues the rest, and
// knows when a turn is over. An abort waits for `started`, because zot forgets one that comes sooner.
import type { QueueItem, Response } from "@patchbay/protocol";
import { type Task, TaskQueue } from "./queue.ts";
import type { WorkerLink } from "./worker-link.ts";

type Running =
  | { state: "starting"; task: Task; aborted: boolean }
  | { state: "sent"; task: Task; aborted: boolean; worker: WorkerLink }
  | { state: "started"; task: Task; worker: WorkerLink };

interface TurnsOptions {
  limit: number;
  worker(): Promise<WorkerLink>;
  changed(): void;
  queueChanged(): void;
}

export class Turns {
  readonly #options: TurnsOptions;
  readonly #queue: TaskQueue;
  #running: Running | null = null;
  #closed = false;

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#queue = new TaskQueue(options.limit);
  }

  /** What keeps the session busy. */
  get running(): "prompt" | "compact" | null {
    return this.#running?.task.command ?? null;
  }

  get items(): QueueItem[] {
    return this.#queue.items();
  }

  submit(task: Task): void {
    if (this.#closed) return task.fail("The server is shutting down; nothing new is started.");
    if (this.#running === null) {
      // Whatever still waits (its worker died) was first.
      if (this.#queue.length === 0) return this.#start(task, "direct");
      this.#enqueue(task);
      return this.#next();
    }
    this.#enqueue(task);
  }

  remove(item: string): boolean {
    const removed = this.#queue.remove(item) !== undefined;
    if (removed) this.#options.queueChanged();
    return removed;
  }

  move(item: string, to: number): boolean {
    const moved = this.#queue.move(item, to);
    if (moved) this.#options.queueChanged();
    return moved;
  }

  /** Ends the running turn; the queue stays. Resolves when the worker has taken note. */
  async abort(): Promise<void> {
    const running = this.#running;
    if (running === null) return;
    if (running.state !== "started") running.aborted = true;
    else await this.#sendAbort(running.worker, running.task);
  }

  /** Called for the frames that can end a turn. */
  frame(type: "done" | "compact_done" | "error"): void {
    // Before `started`, a `done` belongs to the compaction that came before.
    if (this.#running?.state !== "started") return;
    const { command } = this.#running.task;
    if (type === "done" || command === "compact") this.#finish();
  }

  /** The queue is kept: the next prompt starts a worker again, and the queue with it. */
  workerGone(): void {
    this.#running = null;
    this.#options.changed();
  }

  close(): void {
    this.#closed = true;
  }

  #enqueue(task: Task): void {
    if (this.#queue.isFull) {
      return task.fail("The queue of this session is full. Remove something from it, or wait.");
    }
    this.#queue.push(task);
    task.succeed({ started: false, queued: true });
    this.#options.queueChanged();
  }

  #next(): void {
    if (this.#running !== null || this.#closed) return;
    const task = this.#queue.shift();
    if (task === undefined) return;
    this.#options.queueChanged();
    this.#start(task, "queue");
  }

  #start(task: Task, from: "direct" | "queue"): void {
    const running: Running = { state: "starting", task, aborted: false };
    this.#running = running;
    this.#options.changed();
    this.#options.worker().then(
      (worker) => this.#give(running, worker),
      (error: unknown) => this.#notStarted(running, from, error),
    );
  }

  #notStarted(running: Running, from: "direct" | "queue", error: unknown): void {
    if (this.#running?.task === running.task) this.#running = null;
    if (from === "queue") {
      this.#queue.unshift(running.task); // its sender was told that it waits, so it waits
      this.#options.queueChanged();
    }
    running.task.fail(error instanceof Error ? error.message : String(error));
    this.#options.changed();
  }

  #give(running: Running & { state: "starting" }, worker: WorkerLink): void {
    const { task } = running;
    if (running.aborted) {
      task.fail("It was stopped before it started.");
      return this.#finish();
    }
    const sent: Running = { state: "sent", task, aborted: false, worker };
    this.#running = sent;
    worker.tellAndHear({ ...task.payload, type: task.command }, (response) => this.#taken(sent, response));
  }

  /** Called at once when the response is read: the same read may already hold the end of the turn. */
  #taken(sent: Running & { state: "sent" }, response: Response): void {
    const { task, worker } = sent;
    if (!response.success) {
      task.fail(response.error ?? "The worker refused it and did not say why.");
      if (this.#running === sent) this.#finish();
      return;
    }
    task.succeed(response.data ?? { started: true });
    if (this.#running !== sent) return;
    this.#running = { state: "started", task, worker };
    if (sent.aborted) void this.#sendAbort(worker, task); // `ask` never rejects
  }

  async #sendAbort(worker: WorkerLink, task: Task): Promise<void> {
    await worker.ask({ type: "abort" });
    // zot says nothing more about a compaction that was aborted.
    if (task.command === "compact" && this.#running?.task === task) this.#finish();
  }

  #finish(): void {
    this.#running = null;
    this.#options.changed();
    this.#next();
  }
}
