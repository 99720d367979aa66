// One turn at a time: gives the worker a prompt or a compaction when it is free, queues the rest, and
// knows when a turn is over. What was accepted is saved before it is answered or given to the worker.
// An abort waits for `started`, because zot forgets one that comes sooner.
import type { QueueItem, Response } from "@patchbay/protocol";
import type { QueuedTask } from "../store/store.ts";
import { insist } from "./insist.ts";
import { canShare, plainTask, type Task, TaskQueue } from "./queue.ts";
import { QueueEdits } from "./queue-edits.ts";
import { full, notSaved, wordsOf } from "./refusals.ts";
import {
  commandFor,
  neverBegan,
  type Origin,
  type Running,
  type Sent,
  type Starting,
  seenInLog,
} from "./running-turn.ts";
import { Steers } from "./steers.ts";
import { TurnGate } from "./turn-gate.ts";
import type { TurnsOptions } from "./turns-options.ts";
import type { WorkerLink } from "./worker-link.ts";

export class Turns {
  /** What people change about what waits. */
  readonly edits: QueueEdits;
  readonly #options: TurnsOptions;
  readonly #queue: TaskQueue;
  readonly #gate: TurnGate;
  readonly #steers = new Steers({
    refused: (task) => {
      this.#putBack([task]);
      this.#next();
    },
  });
  #running: Running | null = null;
  /** It was put before what waits, and begins without it. */
  #alone: Task | null = null;
  #closed = false;

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#gate = new TurnGate(options);
    this.#queue = new TaskQueue(options.limits.queue_items, options.waiting);
    this.edits = new QueueEdits(this.#queue, options.queueChanged, () => this.#save());
  }

  /** What keeps the session busy. */
  get running(): "prompt" | "compact" | null {
    return this.#running?.task.command ?? null;
  }

  /** A person stopped it, and what waits is not to begin by itself. */
  get isHeld(): boolean {
    return this.#gate.isStopped;
  }

  get items(): QueueItem[] {
    return this.#queue.items();
  }

  submit(task: Task): void {
    if (this.#gate.turnsAway(task, this.#closed)) return;
    if (this.#running === null) {
      // Whatever still waits (its worker died) was first, unless a person stopped it to say something else.
      if (this.#queue.length === 0 || this.#gate.isStopped) return this.#start(task, [], "direct");
      this.#enqueue(task);
      return this.#next();
    }
    this.#enqueue(task);
  }

  /** Before everything that waits. */
  submitNext(task: Task): void {
    if (this.#gate.turnsAway(task, this.#closed)) return;
    if (this.#running === null) return this.#start(task, [], "direct");
    this.#alone = task;
    this.#enqueue(task, "next");
  }

  /** Into the running turn; where there is none, or a compaction, it begins the next one. */
  steer(task: Task): void {
    if (this.#gate.turnsAway(task, this.#closed)) return;
    if (this.running !== "prompt") return this.submitNext(task);
    if (this.#steers.length + this.#queue.length >= this.#options.limits.queue_items) return task.fail(full);
    this.#steers.add(task);
    task.sent_seq = this.#options.seq();
    this.#save().then(
      () => this.#steers.saved(task),
      (error: unknown) => {
        if (this.#steers.remove(task.id)) task.fail(notSaved(error));
      },
    );
  }

  /** Starts what waits, when nothing is running: after a crash, say. Null, or why it does not. */
  resume(): string | null {
    if (this.#running !== null || this.#queue.length === 0 || this.#closed)
      return "Nothing waits, or a turn is running.";
    const refusal = this.#gate.refusal();
    if (refusal !== undefined) return refusal;
    this.#gate.isStopped = false;
    this.#next();
    return null;
  }

  /** What was not let start may be let now. */
  unhold(): void {
    if (this.#gate.isHolding) this.#next();
  }

  /** The worker has given it back: it is said no more. */
  async steerRemoved(key: string): Promise<void> {
    if (this.#steers.remove(key)) await this.#save();
  }

  /** Ends the running turn, unless it is of `but`; the queue stays, with `hold` until somebody wants it to go on. Resolves when the worker has taken note. */
  async abort({ but, hold = false }: { but?: Task; hold?: boolean } = {}): Promise<void> {
    const running = this.#running;
    if (running === null || running.task === but) return;
    if (hold) this.#gate.isStopped = true;
    insist(running, this.#options.limits.worker_abort_ms, () => this.#running?.task === running.task);
    if (running.state !== "started") running.aborted = true;
    else await this.#sendAbort(running.worker, running.task);
  }

  /** A person's message is about to be in the log: from then on, that tells what became of its task. */
  recorded({ key, steering = false }: { key?: string | undefined; steering?: boolean | undefined }): void {
    const turn = this.#running; // which may be over by then: a whole turn may come in one read
    this.#options.afterRun(() => {
      const isSteer = key !== undefined && this.#steers.remove(key);
      if (isSteer || [turn, this.#running].some((one) => seenInLog(one, key, steering)))
        this.#options.saveSoon(() => this.#unstarted());
    });
  }

  /** Called for the frames that can end a turn. */
  frame(type: "done" | "compact_done" | "error"): void {
    // Before `started`, a `done` belongs to the compaction that came before.
    if (this.#running?.state !== "started") return;
    if (type === "done" || this.#running.task.command === "compact") this.#finish();
  }

  /** The queue is kept: the next prompt starts a worker again, and the queue with it. */
  workerGone(): void {
    const running = this.#running;
    const steers = this.#steers.takeAll();
    if (running?.state !== "starting") this.#running = null; // else its own start tells what became of it
    const lost = running === null ? [] : neverBegan(running);
    if (lost.length + steers.length > 0) this.#putBack([...lost, ...steers]);
    else this.#saveLater();
    this.#options.changed();
  }

  close(): void {
    this.#closed = true;
  }

  #enqueue(task: Task, where: "last" | "next" = "last"): void {
    if (this.#queue.isFull) return task.fail(full);
    this.#gate.isStopped = false; // whoever adds to what waits wants it to run
    if (where === "next") this.#queue.unshift(task);
    else this.#queue.push(task);
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
    task.fail(notSaved(error));
  }

  /** What is on its way to the worker stands first: if we die now, it is found again. */
  #unstarted(): QueuedTask[] {
    const onItsWay = [...(this.#running?.unrecorded ?? []), ...this.#steers.tasks];
    return [...onItsWay, ...this.#queue.tasks].map(plainTask);
  }

  #save(): Promise<void> {
    return this.#options.save(this.#unstarted());
  }

  #next(): void {
    if (this.#running !== null || this.#closed || this.#queue.length === 0 || !this.#gate.letsNext()) return;
    const task = this.#queue.shift();
    if (task === undefined) return;
    const shares = task !== this.#alone && canShare(task) && this.#options.joins();
    const also = shares ? this.#queue.shiftPrompts() : [];
    this.#options.queueChanged();
    this.#start(task, also, "queue");
  }

  #start(task: Task, also: readonly Task[], from: Origin): void {
    if (this.#queue.length === 0) this.#gate.isStopped = false; // there is nothing left to be held
    const tasks = [task, ...also];
    for (const each of tasks) each.sent_seq = this.#options.seq();
    const unrecorded = new Set(tasks);
    const running: Starting = { state: "starting", task, also, unrecorded, from, aborted: false };
    this.#running = running;
    this.#options.began();
    this.#options.changed();
    const kept = also.length === 0 ? this.#options.keep(plainTask(task)) : this.#save();
    Promise.all([this.#options.worker(), kept]).then(
      ([worker]) => this.#give(running, worker),
      (error: unknown) => this.#notStarted(running, error),
    );
  }

  #notStarted({ task, also, from }: Starting, error: unknown): void {
    if (this.#running?.task === task) this.#running = null;
    if (from === "queue") this.#putBack([task, ...also]);
    else this.#saveLater();
    task.fail(wordsOf(error));
    this.#putBack(this.#steers.takeAll());
    this.#options.changed();
  }

  /** Their senders were told that they wait, so they wait. */
  #putBack(tasks: readonly Task[]): void {
    this.#queue.putBack(tasks);
    this.#options.queueChanged();
    this.#saveLater();
  }

  #give(running: Starting, worker: WorkerLink): void {
    const { task, also, unrecorded, from } = running;
    if (running.aborted) {
      // One that a person stopped with the whole queue is still the first of it.
      const back = from === "queue" && this.#gate.isStopped ? [task, ...also] : [];
      if (back.length === 0) task.fail("It was stopped before it started.");
      this.#finish();
      return this.#putBack(back);
    }
    const refusal = this.#gate.refusal(); // others may have spent while its worker started
    if (refusal !== undefined) {
      if (from === "queue") this.#gate.hold(refusal);
      return this.#notStarted(running, new Error(refusal));
    }
    const sent: Sent = { state: "sent", task, also, unrecorded, from, aborted: false, worker };
    this.#running = sent;
    worker.tellAndHear(commandFor(task, also), (response) => this.#taken(sent, response));
  }

  /** Called at once when the response is read: the same read may already hold the end of the turn. */
  #taken(sent: Sent, response: Response): void {
    const { task, also, unrecorded, worker } = sent;
    if (!response.success) {
      task.fail(response.error ?? "The worker refused it and did not say why.");
      if (this.#running !== sent) return;
      this.#finish();
      return this.#saveLater();
    }
    task.started(response.data ?? { started: true });
    if (this.#running !== sent) return;
    this.#running = { state: "started", task, also, unrecorded, worker };
    this.#steers.open(worker);
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
    const kept = this.#running?.state === "started" ? this.#running.unrecorded : new Set();
    this.#running = null;
    const unsent = this.#steers.shut();
    this.#options.changed();
    if (unsent.length > 0) this.#putBack(unsent);
    // After the run that ended it, or the next turn would count the rest of that run as its own.
    queueMicrotask(() => this.#next());
    if (kept.size > 0) this.#options.afterRun(() => kept.size > 0 && this.#saveLater());
  }
}
