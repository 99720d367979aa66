// One turn at a time: gives the worker a prompt or a compaction when it is free, queues the rest, and
// knows when a turn is over. What was accepted is saved before it is answered or given to the worker.
// An abort waits for `started`, because zot forgets one that comes sooner.
import type { QueueItem, Response } from "@patchbay/protocol";
import type { QueuedTask } from "../store/store.ts";
import { plainTask, type Task, TaskQueue } from "./queue.ts";
import type { WorkerLink } from "./worker-link.ts";

type Origin = "direct" | "queue";

type Running =
  | { state: "starting"; task: Task; from: Origin; aborted: boolean }
  | { state: "sent"; task: Task; from: Origin; aborted: boolean; worker: WorkerLink }
  /** recorded: the log shows that it started, so it need not be kept elsewhere. */
  | { state: "started"; task: Task; worker: WorkerLink; recorded: boolean };

interface TurnsOptions {
  limit: number;
  /** What waited when the session was last open. */
  waiting: readonly Task[];
  /** Keeps a task that is on its way to the worker. */
  keep(task: QueuedTask): Promise<void>;
  /** Keeps what has been accepted and has not started, and nothing else. */
  save(tasks: readonly QueuedTask[]): Promise<void>;
  /** The same, a little later: until then a started task is kept needlessly, which the log tells. */
  saveSoon(tasks: () => readonly QueuedTask[]): void;
  saveFailed(error: unknown): void;
  /** The newest frame. */
  seq(): number;
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
    this.#queue = new TaskQueue(options.limit, options.waiting);
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

  /** Starts what waits, when nothing is running: after a crash, say. False when there is nothing to start. */
  resume(): boolean {
    if (this.#running !== null || this.#queue.length === 0 || this.#closed) return false;
    this.#next();
    return true;
  }

  remove(item: string): Promise<boolean> {
    return this.#changeQueue(() => this.#queue.remove(item) !== undefined);
  }

  move(item: string, to: number): Promise<boolean> {
    return this.#changeQueue(() => this.#queue.move(item, to));
  }

  /** Ends the running turn; the queue stays. Resolves when the worker has taken note. */
  async abort(): Promise<void> {
    const running = this.#running;
    if (running === null) return;
    if (running.state !== "started") running.aborted = true;
    else await this.#sendAbort(running.worker, running.task);
  }

  /** The turn's first frame is in the log: from here on, that tells what became of its task. */
  recorded(): void {
    if (this.#running?.state !== "started" || this.#running.recorded) return;
    this.#running.recorded = true;
    this.#options.saveSoon(() => this.#unstarted());
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
    const running = this.#running;
    if (running?.state === "starting") return; // its own start tells what became of it
    this.#running = null;
    if (running !== null && neverBegan(running)) this.#putBack(running.task);
    else this.#saveLater();
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
    this.#options.queueChanged();
    this.#save().then(
      () => task.waits(),
      (error: unknown) => this.#takeBack(task, error),
    );
  }

  /** It could not be saved, so it was not accepted. */
  #takeBack(task: Task, error: unknown): void {
    this.#queue.remove(task.id);
    this.#options.queueChanged();
    task.fail(`It could not be saved: ${error instanceof Error ? error.message : String(error)}`);
  }

  async #changeQueue(change: () => boolean): Promise<boolean> {
    if (!change()) return false;
    this.#options.queueChanged();
    await this.#save();
    return true;
  }

  /** The task on its way to the worker stands first: if we die now, it is found again. */
  #unstarted(): QueuedTask[] {
    const running = this.#running;
    const onItsWay =
      running === null || (running.state === "started" && running.recorded) ? [] : [running.task];
    return [...onItsWay, ...this.#queue.tasks].map(plainTask);
  }

  #save(): Promise<void> {
    return this.#options.save(this.#unstarted());
  }

  #next(): void {
    if (this.#running !== null || this.#closed) return;
    const task = this.#queue.shift();
    if (task === undefined) return;
    this.#options.queueChanged();
    this.#start(task, "queue");
  }

  #start(task: Task, from: Origin): void {
    task.sent_seq = this.#options.seq();
    const running: Running = { state: "starting", task, from, aborted: false };
    this.#running = running;
    this.#options.changed();
    Promise.all([this.#options.worker(), this.#options.keep(plainTask(task))]).then(
      ([worker]) => this.#give(running, worker),
      (error: unknown) => this.#notStarted(running, error),
    );
  }

  #notStarted({ task, from }: Running & { state: "starting" }, error: unknown): void {
    if (this.#running?.task === task) this.#running = null;
    if (from === "queue") this.#putBack(task);
    else this.#saveLater();
    task.fail(error instanceof Error ? error.message : String(error));
    this.#options.changed();
  }

  /** Its sender was told that it waits, so it waits. */
  #putBack(task: Task): void {
    task.sent_seq = null;
    this.#queue.unshift(task);
    this.#options.queueChanged();
    this.#saveLater();
  }

  #give(running: Running & { state: "starting" }, worker: WorkerLink): void {
    const { task, from } = running;
    if (running.aborted) {
      task.fail("It was stopped before it started.");
      this.#finish();
      return this.#saveLater();
    }
    const sent: Running = { state: "sent", task, from, aborted: false, worker };
    this.#running = sent;
    worker.tellAndHear({ ...task.payload, type: task.command }, (response) => this.#taken(sent, response));
  }

  /** Called at once when the response is read: the same read may already hold the end of the turn. */
  #taken(sent: Running & { state: "sent" }, response: Response): void {
    const { task, worker } = sent;
    if (!response.success) {
      task.fail(response.error ?? "The worker refused it and did not say why.");
      if (this.#running !== sent) return;
      this.#finish();
      return this.#saveLater();
    }
    task.started(response.data ?? { started: true });
    if (this.#running !== sent) return;
    this.#running = { state: "started", task, worker, recorded: false };
    if (sent.aborted) void this.#sendAbort(worker, task); // `ask` never rejects
  }

  async #sendAbort(worker: WorkerLink, task: Task): Promise<void> {
    await worker.ask({ type: "abort" });
    // zot says nothing more about a compaction that was aborted.
    if (task.command === "compact" && this.#running?.task === task) this.#finish();
  }

  /** Nobody waits for this one; a failure shows when the next task cannot be saved. */
  #saveLater(): void {
    this.#save().catch((error: unknown) => this.#options.saveFailed(error));
  }

  #finish(): void {
    const kept = this.#running?.state === "started" && !this.#running.recorded;
    this.#running = null;
    this.#options.changed();
    this.#next();
    if (kept) this.#saveLater();
  }
}

/** Its sender was told that it waits or has started, and the log shows nothing of it. */
function neverBegan(running: Running): boolean {
  if (running.state === "started") return !running.recorded && running.task.command === "prompt";
  return running.state === "sent" && running.from === "queue";
}
