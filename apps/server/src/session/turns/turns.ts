// One turn at a time: gives the worker a prompt or a compaction when it is free, queues the rest, and
// detects the end of a turn. A prompt is saved as given, then given, then seen in the log. If worker or server dies before
// the log shows it, its fate is unknown: it is set aside and never given again automatically.
// An abort waits for `started`, because zot ignores an earlier one.
import type { Author, Frame, QueueItem, Response } from "@patchbay/protocol";
import type { Limits } from "../../config/config-file.ts";
import type { SpendingGuard } from "../../projections/spending.ts";
import type { QueuedTask } from "../../store/owned-session.ts";
import type { Journal } from "../log/journal.ts";
import type { SessionWrites } from "../record/session-writes.ts";
import type { WorkerLink } from "../worker/worker-link.ts";
import type { WorkerSlot } from "../worker/worker-slot.ts";
import { canShare, plainTask, type Task, TaskQueue } from "./queue.ts";
import { QueueEdits } from "./queue-edits.ts";
import {
  commandFor,
  type Origin,
  type Running,
  type Sent,
  type Starting,
  shownTask,
  withUnknownFate,
} from "./running-turn.ts";
import { Steers } from "./steers.ts";
import { closing, TurnGate } from "./turn-gate.ts";
import type { TurnStates } from "./turn-states.ts";

interface TurnsOptions {
  limits: Limits;
  journal: Journal;
  writes: SessionWrites;
  worker: WorkerSlot;
  guard: SpendingGuard;
  states: TurnStates;
  /** The saved queue. */
  waiting: readonly Task[];
  changed(): void;
  queueChanged(items: QueueItem[]): void;
}

const full =
  "The queue of this session is full, or the prompt is too large for it. Remove a prompt from the queue, or wait.";
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const notSaved = (error: unknown): string => `It could not be saved: ${messageOf(error)}`;

export class Turns {
  /** Edits of the queue by viewers. */
  readonly edits: QueueEdits;
  readonly #options: TurnsOptions;
  readonly #journal: Journal;
  readonly #writes: SessionWrites;
  readonly #worker: WorkerSlot;
  readonly #queue: TaskQueue;
  readonly #gate: TurnGate;
  readonly #states: TurnStates;
  readonly #steers = new Steers({
    giving: (task) => this.#name(task),
    refused: (task) => {
      this.#putBack([task]);
      this.#next();
    },
  });
  #running: Running | null = null;
  /** The worker has shown these tasks, but the log is not written yet: until then they stay saved as given. */
  readonly #unlogged = new Set<Task>();
  /** This task was put before the queue, and does not share its turn. */
  #alone: Task | null = null;
  #closed = false;
  /** Why the first of the queue could not be started when last tried. */
  #notStartedBecause: string | null = null;
  /** The worker takes several queued prompts as one turn. */
  #sharesTurns = false;

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#journal = options.journal;
    this.#writes = options.writes;
    this.#worker = options.worker;
    this.#gate = new TurnGate(options.guard);
    this.#states = options.states;
    const { queue_items: items, queue_bytes: bytes } = options.limits;
    this.#queue = new TaskQueue({ items, bytes }, options.waiting);
    this.edits = new QueueEdits(
      this.#queue,
      () => this.#queueChanged(),
      () => this.#save(),
      (task) => this.#states.removed(task),
    );
  }

  /** What keeps the session busy. */
  get running(): "prompt" | "compact" | null {
    return this.#running?.task.command ?? null;
  }

  /** A person stopped a turn, and the queue waits. */
  get isHeld(): boolean {
    return this.#gate.isStopped;
  }

  get items(): QueueItem[] {
    return this.#queue.items();
  }

  submit(task: Task): void {
    if (this.#gate.refuses(task, this.#closed)) return;
    if (this.#running === null) {
      // Tasks left in the queue by a dead worker go first, unless a person stopped the queue.
      if (this.#queue.length === 0 || this.#gate.isStopped) return this.#start(task, [], "direct");
      this.#enqueue(task);
      return this.#next();
    }
    this.#enqueue(task);
  }

  /** Submits a task before the queue. */
  submitNext(task: Task): void {
    if (this.#gate.refuses(task, this.#closed)) return;
    if (this.#running === null) return this.#start(task, [], "direct");
    this.#alone = task;
    this.#enqueue(task, "next");
  }

  /** Adds a message to the running prompt turn; without one, it begins the next turn. */
  steer(task: Task): void {
    if (this.#gate.refuses(task, this.#closed)) return;
    if (this.running !== "prompt") return this.submitNext(task);
    if (this.#steers.length >= this.#options.limits.queue_items || !this.#queue.hasRoomFor(task))
      return task.fail(full, "queue_full");
    this.#steers.add(task);
    task.sent_seq = this.#journal.seq;
    this.#save().then(
      () => this.#steers.saved(task),
      (error: unknown) => {
        if (this.#steers.remove(task.id)) task.fail(notSaved(error));
      },
    );
  }

  /** Starts the queue when nothing is running, for example after a crash. Null, or why it does not. */
  resume(): string | null {
    if (this.#running !== null || this.#queue.length === 0 || this.#closed)
      return "The queue is empty, or a turn is running.";
    const refusal = this.#gate.refusal();
    if (refusal !== undefined) return refusal;
    this.#gate.isStopped = false;
    this.#next();
    return null;
  }

  /** A task that waits, or that is on its way to the worker or with it; undefined: it is none of these. */
  find(id: string): { place: "queued" | "given" | "unknown"; task: QueuedTask } | undefined {
    const running = this.#running === null ? [] : [this.#running.task, ...this.#running.also];
    const given = running.find((task) => task.id === id);
    if (given !== undefined) return { place: "given", task: given };
    const task = this.#queue.tasks.find((known) => known.id === id);
    return task && { place: task.fate ?? "queued", task };
  }

  /** The server has started: what a program was promised runs without a person, if it is the next and no person stopped the queue. */
  resumeTracked(): void {
    const next = this.#queue.tasks.find(({ fate }) => fate === undefined);
    if (next?.tracked === undefined) return;
    if (next.held === true) this.#gate.isStopped = true;
    else this.#next();
  }

  /** Why the queue does not go on, for a person; null: it will, when the running turn ends. */
  heldBecause(): string | null {
    if (this.#running !== null) return null;
    if (this.#gate.isStopped) return stoppedQueue;
    return this.#gate.refusal() ?? this.#notStartedBecause ?? leftQueue;
  }

  /** Runs a task of unknown fate. False when there is none of that id. */
  async retry(item: string): Promise<boolean> {
    const isHeld = await this.edits.retry(item);
    if (isHeld) this.#next();
    return isHeld;
  }

  /** A budget may allow the held queue now. */
  resumeHeld(): void {
    if (this.#gate.isHolding) this.#next();
  }

  /** The worker has returned a steering message, so it is dropped. */
  async steerRemoved(key: string): Promise<void> {
    if (this.#steers.remove(key)) await this.#save();
  }

  /** Ends the running turn, unless it is of `but`. The queue stays; `hold`: until a viewer resumes it. Resolves when the worker has answered. */
  async abort({ but, hold = false, by }: { but?: Task; hold?: boolean; by?: Author } = {}): Promise<void> {
    const running = this.#running;
    if (running === null || running.task === but) return;
    if (hold) this.#gate.isStopped = true;
    this.#endIfAbortIgnored(running);
    if (running.state !== "started") running.aborted = but === undefined ? "stopped" : "replaced";
    else await this.#sendAbort(running.worker, running.task, by);
  }

  /** Ends all work of the worker, also work that no prompt started: it costs money, too. */
  async endWork(): Promise<void> {
    if (this.running !== null) await this.abort();
    else await this.#worker.ready?.ask({ type: "abort" });
  }

  /** Ends a worker that ignores an abort, or the turn might run forever. */
  #endIfAbortIgnored(running: Running): void {
    if (running.state === "starting") return; // the worker was not given the prompt, and will not be
    const { worker_abort_ms: ms } = this.#options.limits;
    const timer = setTimeout(() => {
      if (this.#running?.task === running.task) void running.worker.endStopped(ignoredAbort(ms)); // never rejects
    }, ms);
    timer.unref();
  }

  frame(frame: Frame): void {
    switch (frame.type) {
      case "user_message":
        return this.#shown(frame);
      case "settings":
        this.#sharesTurns = frame.follow_up_mode === "all";
        return;
      case "done":
      case "compact_done":
      case "error":
        return this.#ends(frame.type);
      default:
    }
  }

  /** The worker shows a person's message. Once it is in the log, its task need not be saved any more. */
  #shown({ key, steering = false }: { key?: string | undefined; steering?: boolean | undefined }): void {
    const steered = key === undefined ? undefined : this.#steers.take(key);
    const task = steered ?? shownTask(this.#running, key, steering);
    if (task === undefined) return;
    this.#unlogged.add(task);
    this.#journal.afterShown(() => {
      this.#unlogged.delete(task);
      this.#writes.queueSoon(this.#unstarted);
    });
  }

  #ends(type: "done" | "compact_done" | "error"): void {
    // Before `started`, a `done` belongs to the previous compaction.
    if (this.#running?.state !== "started") return;
    if (type === "done" || this.#running.task.command === "compact") this.#finish();
  }

  /** The queue is kept: the next prompt starts a worker again, and the queue with it. */
  workerEnded(): void {
    const running = this.#running;
    // A worker shows a message before it acts on it: steering that it did not show took no effect.
    const steers = this.#steers.takeAll();
    if (running !== null && running.state !== "starting")
      this.#states.interrupt([running.task, ...running.also], !this.#closed);
    if (running?.state !== "starting") this.#running = null; // else `#startTurn` rejects, and `#notStarted` handles it
    this.#queue.putBack(steers);
    this.#queue.setAside(running === null ? [] : withUnknownFate(running));
    this.#queueChanged();
    this.#saveLater();
    this.#options.changed();
  }

  close(): void {
    this.#closed = true;
  }

  #enqueue(task: Task, where: "last" | "next" = "last"): void {
    if (!this.#queue.hasRoomFor(task)) return task.fail(full, "queue_full");
    this.#gate.isStopped = false; // adding to a stopped queue resumes it
    if (where === "next") this.#queue.unshift(task);
    else this.#queue.push(task);
    this.#queueChanged();
    this.#save().then(
      () => task.waits(),
      (error: unknown) => this.#takeBack(task, error),
    );
  }

  /** A task that could not be saved is not accepted, unless it has left the queue: its turn saves it again, and answers. */
  #takeBack(task: Task, error: unknown): void {
    if (this.#queue.remove(task.id) === undefined) return;
    this.#queueChanged();
    task.fail(notSaved(error));
  }

  /** All tasks to save. Those on their way to the worker come first, so that a crash now does not lose them. */
  readonly #unstarted = (): QueuedTask[] => {
    const onItsWay = [...this.#unlogged, ...(this.#running?.unseen ?? []), ...this.#steers.tasks];
    const waiting = this.#queue.tasks.map(plainTask);
    const held = this.#gate.isStopped;
    return [
      ...onItsWay.map(plainTask),
      ...waiting.map((task) => (task.tracked === undefined ? task : { ...task, held })),
    ];
  };

  #save(): Promise<void> {
    return this.#writes.queue(this.#unstarted());
  }

  #next(): void {
    if (this.#running !== null || this.#closed || this.#queue.length === 0 || !this.#gate.mayStartNext())
      return;
    const task = this.#queue.shift();
    if (task === undefined) return;
    const shares = task !== this.#alone && canShare(task) && this.#sharesTurns;
    const also = shares ? this.#queue.shiftPrompts() : [];
    this.#queueChanged();
    this.#start(task, also, "queue");
  }

  #start(task: Task, also: readonly Task[], from: Origin): void {
    if (this.#queue.length === 0) this.#gate.isStopped = false; // an empty queue holds nothing
    const running: Starting = {
      ...{ state: "starting", task, also, from, aborted: null },
      unseen: new Set([task, ...also]),
    };
    this.#running = running;
    this.#notStartedBecause = null;
    this.#options.guard.began();
    this.#options.changed();
    this.#startTurn(running).catch((error: unknown) => this.#notStarted(running, error));
  }

  /** Saves the task as accepted while the worker starts, then saves it as given, then gives it. */
  async #startTurn(running: Starting): Promise<void> {
    if (this.#worker.ready === undefined) {
      const ready = this.#worker.ensure();
      ready.catch(() => {}); // is awaited below
      await this.#saveStart(running);
      running.task.accepted?.();
      await ready;
      if (this.#isCancelled(running)) return this.#cancel(running);
    }
    const seq = this.#journal.seq;
    for (const task of running.unseen) task.sent_seq = seq;
    await this.#saveStart(running);
    running.task.accepted?.();
    this.#give(running, await this.#worker.ensure());
  }

  #saveStart({ task, also }: Starting): Promise<void> {
    return also.length === 0 ? this.#writes.task(plainTask(task)) : this.#save();
  }

  #notStarted({ task, also, from }: Starting, error: unknown): void {
    if (this.#running?.task === task) this.#running = null;
    this.#options.guard.ended();
    if (from === "queue") {
      this.#notStartedBecause = messageOf(error);
      this.#putBack([task, ...also]);
    } else {
      this.#states.end([task], "failed", messageOf(error));
      this.#saveLater();
    }
    task.fail(messageOf(error));
    this.#putBack(this.#steers.takeAll());
    this.#options.changed();
  }

  /** Queues tasks again whose senders were answered that they wait. */
  #putBack(tasks: readonly Task[]): void {
    this.#queue.putBack(tasks);
    this.#queueChanged();
    this.#saveLater();
  }

  /** Aborted before the worker got it, or a budget was used up meanwhile. */
  #isCancelled(running: Starting): boolean {
    return running.aborted !== null || this.#gate.refusal() !== undefined;
  }

  #cancel(running: Starting): void {
    const { task, also, from, aborted } = running;
    if (aborted !== null) {
      // The sender of a queued task was answered that it waits: stopped, it becomes the first of the queue again, which waits.
      const waits = from === "queue" && aborted === "stopped";
      if (waits) this.#gate.isStopped = true;
      else {
        this.#states.end([task, ...also], "stopped", stoppedEarly);
        task.fail(stoppedEarly);
      }
      this.#finish();
      return this.#putBack(waits ? [task, ...also] : []);
    }
    const refusal = this.#gate.refusal() ?? closing;
    if (from === "queue") this.#gate.hold(refusal);
    this.#notStarted(running, new Error(refusal));
  }

  #give(running: Starting, worker: WorkerLink): void {
    if (this.#isCancelled(running)) return this.#cancel(running);
    const { task, also, unseen, from } = running;
    for (const each of [task, ...also]) this.#name(each);
    const sent: Sent = { state: "sent", task, also, unseen, from, aborted: null, worker };
    this.#running = sent;
    this.#states.begin([task, ...also]);
    worker.request(commandFor(task, also), (response) => this.#taken(sent, response));
  }

  /** On a server with people: whose message the worker is given next. */
  #name({ id: key, command, by }: Task): void {
    if (by !== undefined)
      this.#journal.appendOwn({ type: "authored", time: new Date().toISOString(), by, command, key });
  }

  /** Called synchronously when the response is read: the same read may already contain the end of the turn. */
  #taken(sent: Sent, response: Response): void {
    const { task, also, unseen, worker } = sent;
    if (!response.success) {
      const error = response.error ?? "The agent refused this without a reason.";
      task.fail(error);
      if (this.#running !== sent) return;
      this.#states.end([task, ...also], "failed", error);
      this.#finish();
      return this.#saveLater();
    }
    task.started(response.data ?? { started: true });
    if (this.#running !== sent) return;
    this.#running = { state: "started", task, also, unseen, worker, isStopping: false };
    this.#steers.open(worker);
    if (sent.aborted !== null) void this.#sendAbort(worker, task); // `ask` never rejects
  }

  /** Marks the turn as stopped, before the worker is asked to stop. `by`: the person who asks; absent: a budget. */
  requestStop(by?: Author): void {
    const running = this.#running;
    if (running?.state !== "started" || running.task.command !== "prompt" || running.isStopping) return;
    running.isStopping = true;
    const named = by?.person === undefined ? {} : { by };
    this.#journal.appendOwn({ type: "stop_requested", time: new Date().toISOString(), ...named });
    this.#options.changed();
  }

  async #sendAbort(worker: WorkerLink, task: Task, by?: Author): Promise<void> {
    this.requestStop(by);
    await worker.ask({ type: "abort" });
    // zot sends no end for an aborted compaction.
    if (task.command === "compact" && this.#running?.task === task) this.#finish();
  }

  /** No caller waits for this save; a failure shows when the next task cannot be saved. */
  #saveLater(): void {
    this.#save().catch((error: unknown) => this.#writes.report(error, "the queue could not be saved"));
  }

  #finish(): void {
    const running = this.#running;
    this.#running = null;
    if (running?.state === "started") this.#states.finish([running.task, ...running.also]);
    this.#options.guard.ended();
    const unsent = this.#steers.shut();
    this.#options.changed();
    if (unsent.length > 0) this.#putBack(unsent);
    // After the run of lines that ended the turn, or the rest of that run would count for the next turn.
    this.#journal.afterRun(() => this.#next());
    // A turn that showed no message of a person (a slash command) must leave the saved queue here.
    this.#journal.afterShown(() => this.#writes.queueAfterTurn(this.#unstarted));
  }

  #queueChanged(): void {
    this.#options.queueChanged(this.items);
  }
}

const stoppedEarly = "Stopped before it started.";
const stoppedQueue = "A person stopped the queue. It goes on when a person says so, or with the next prompt.";
const leftQueue =
  "The queue was left by an agent or a server that ended. It goes on when a person says so, or with the next prompt.";

const ignoredAbort = (ms: number): string =>
  `The agent did not stop within ${Math.ceil(ms / 1000)} s, so its process was ended. Send a prompt to start it again.`;
