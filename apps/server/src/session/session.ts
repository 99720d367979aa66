// One session: its log, transcript, turns, questions, viewers and worker, in one record. It outlives
// its worker, which is started when needed and given the transcript back if it can take it.
import {
  addUsage,
  type Frame,
  type HelloData,
  type ServerEvent,
  type SessionState,
  type Session as SessionView,
  type UiResolvedFrame,
  type UiResponseCommand,
  type Usage,
} from "@patchbay/protocol";
import type { LogChunk, SessionRecord } from "../store/store.ts";
import type { WorkerExit } from "../worker/worker-process.ts";
import { Answers } from "./answers.ts";
import { Audience } from "./audience.ts";
import { greetWorker } from "./greet-worker.ts";
import type { Journal } from "./journal.ts";
import { launchWorker } from "./launch-worker.ts";
import { LedgerEntries } from "./ledger-entries.ts";
import type { LiveTranscript, Snapshot } from "./live-transcript.ts";
import { type LoadedSession, loadSession } from "./load-session.ts";
import { Questions } from "./questions.ts";
import type { SessionDependencies } from "./session-dependencies.ts";
import { Turns } from "./turns.ts";
import type { WorkerLink } from "./worker-link.ts";
import { WorkerSlot } from "./worker-slot.ts";

interface Resolution {
  by: UiResolvedFrame["by"];
  value?: string | undefined;
  confirmed?: boolean | undefined;
  cancelled?: boolean | undefined;
}

export class Session {
  readonly answers: Answers;
  readonly audience: Audience;
  readonly turns: Turns;
  readonly worker: WorkerSlot;
  readonly #deps: SessionDependencies;
  readonly #journal: Journal;
  readonly #transcript: LiveTranscript;
  readonly #ledger: LedgerEntries;
  readonly #questions: Questions;
  #record: SessionRecord;
  #hello: HelloData | undefined;
  #usage: Usage;
  #telling = false;

  /** Opens the session from the store; `usage` is what it has spent so far. */
  static async open(record: SessionRecord, usage: Usage, deps: SessionDependencies): Promise<Session> {
    let shown = (_chunk: LogChunk): void => {};
    const loaded = await loadSession(deps.store, record, (chunk) => shown(chunk));
    const session = new Session(record, addUsage(usage, loaded.newUsage), deps, loaded);
    shown = (chunk) => session.audience.show(chunk);
    await session.#mend(loaded.orphanedQuestions);
    return session;
  }

  private constructor(record: SessionRecord, usage: Usage, deps: SessionDependencies, loaded: LoadedSession) {
    this.#record = record;
    this.#usage = usage;
    this.#deps = deps;
    this.#journal = loaded.journal;
    this.#transcript = loaded.transcript;
    this.#ledger = new LedgerEntries(deps.store, (error) =>
      this.#report(error, "the ledger could not be written"),
    );
    const changed = () => this.tellChange();
    this.answers = new Answers(loaded.answers, (answer) =>
      this.#own(deps.store.saveAnswer(this.id, answer), "an answer could not be saved"),
    );
    this.#questions = new Questions({
      onTimeout: (id) => this.#resolve(id, { by: "timeout", cancelled: true }),
      changed: (pending) =>
        this.#own(deps.store.saveQuestions(this.id, pending), "questions could not be saved"),
    });
    this.audience = new Audience(this.#journal, deps.limits, {
      view: () => this.view(),
      snapshot: () => this.snapshot(),
      extras: () => [{ type: "queue", items: this.turns.items }],
    });
    this.worker = new WorkerSlot({
      launch: () => this.#launch(),
      greet: (link) => this.#greet(link),
      changed,
    });
    this.turns = new Turns({
      limit: deps.limits.queue_items,
      waiting: loaded.queue.map((task) => ({ ...task, succeed: () => {}, fail: () => {} })), // answered long ago
      save: (tasks) => deps.store.saveQueue(this.id, tasks),
      saveFailed: (error) => this.#report(error, "the queue could not be saved"),
      seq: () => this.#journal.seq,
      worker: () => this.worker.ensure(),
      changed,
      queueChanged: () => this.audience.tell({ type: "queue", items: this.turns.items }),
    });
  }

  get id(): string {
    return this.#record.id;
  }

  get record(): SessionRecord {
    return this.#record;
  }

  /** What the worker said of itself, as long as there is one. */
  get hello(): HelloData | undefined {
    return this.#hello;
  }

  view(): SessionView {
    const { process: _process, ...record } = this.#record;
    const { failure } = this.worker;
    const trouble = this.#deps.trouble();
    return {
      ...record,
      state: this.#state(),
      ...(failure === undefined ? {} : { reason: failure }),
      ...(trouble === undefined ? {} : { trouble }),
      job: this.turns.running,
      message_count: this.#transcript.messageCount,
      seq: this.#journal.seq,
      usage: this.#usage,
      pending: this.#questions.pending,
      viewers: this.audience.size,
      capabilities: this.#hello?.capabilities ?? [],
    };
  }

  snapshot(): Promise<Snapshot> {
    return this.#transcript.snapshot();
  }

  async update(
    change: Partial<Pick<SessionRecord, "name" | "provider" | "model" | "process">>,
  ): Promise<void> {
    this.#record = { ...this.#record, ...change, updated_at: now() };
    this.tellChange();
    await this.#deps.store.updateSession(this.id, { ...change, updated_at: this.#record.updated_at });
  }

  /** The worker has dropped its transcript; zot tells only the one who asked for it. */
  cleared(): void {
    this.#append({ type: "cleared", time: now() });
  }

  /** The first answer wins; false when the question is no longer open. */
  answer({ type: _type, id, ...answer }: UiResponseCommand): boolean {
    return this.#resolve(id, { by: "viewer", ...answer });
  }

  /** Nobody looks, nothing runs and nothing waits to be told: it can be opened again when needed. */
  get isAtRest(): boolean {
    return this.audience.size === 0 && this.worker.is === "empty" && this.turns.running === null;
  }

  async close(reason: "session_deleted" | "going_away"): Promise<void> {
    this.turns.close();
    await this.worker.stop();
    await this.#journal.flushed();
    this.audience.dismiss(reason);
    await this.#ledger.flushed();
    await this.#saveProgress();
    await this.#journal.close();
  }

  #state(): SessionState {
    switch (this.worker.is) {
      case "empty":
        return this.worker.failure === undefined ? "stopped" : "failed";
      case "starting":
        return "starting";
      case "stopping":
        return "stopped";
      case "ready":
        if (this.#questions.pending.length > 0) return "waiting";
        return this.turns.running === null ? "idle" : "busy";
    }
  }

  /** What a killed server left open is closed: its worker is gone, and so are the worker's questions. */
  async #mend(questions: readonly string[]): Promise<void> {
    for (const id of questions)
      this.#append({ type: "ui_resolved", id, time: now(), by: "worker_exit", cancelled: true });
    if (questions.length > 0) await this.#deps.store.saveQuestions(this.id, []);
    if (this.#record.process === null) return;
    const reason = "The server ended while this agent was at work. Send a prompt to start it again.";
    this.#append({ type: "worker", event: "exited", time: now(), code: null, signal: null, reason });
    await this.update({ process: null });
  }

  // --- the worker ---------------------------------------------------------------------------------

  #launch(): WorkerLink {
    this.#append({ type: "worker", event: "starting", time: now() });
    return launchWorker(this.#record, this.#deps, {
      deltas: (index, count) => this.#transcript.deltas(this.#journal.seq + index, count),
      frame: (frame, index) => this.#onFrame(frame, this.#journal.seq + 1 + index),
      segment: (bytes, count) => this.#journal.append(bytes, count),
      pressure: () =>
        this.#journal.unshownBytes > this.#deps.limits.unwritten_bytes ? this.#journal.flushed() : undefined,
      noise: (line, problem) =>
        this.#deps.log.warn({ session: this.id, line, problem }, "the worker wrote a line that is no frame"),
      exited: (exit, reason, stderr) => this.#onExit(exit, reason, stderr),
    });
  }

  async #greet(link: WorkerLink): Promise<void> {
    const { hello, restored } = await greetWorker(link, this.#deps, () => this.snapshot());
    this.#hello = hello;
    const pid = link.pid === undefined ? {} : { pid: link.pid };
    await this.update({ provider: hello.provider, model: hello.model, process: link.mark });
    this.#append({ type: "worker", event: "ready", time: now(), restored, ...pid });
  }

  #onExit({ cause, code, signal }: WorkerExit, reason: string | undefined, stderr: string): void {
    // A worker that leaves in good order between turns has not failed.
    const leftInOrder =
      cause === "exited" && code === 0 && this.turns.running === null && this.#hello !== undefined;
    const failure = leftInOrder ? undefined : reason;
    this.#hello = undefined;
    for (const { id } of this.#questions.pending) this.#resolve(id, { by: "worker_exit", cancelled: true });
    const words = failure === undefined ? {} : { reason: failure, stderr };
    this.#append({ type: "worker", event: "exited", time: now(), code, signal, ...words });
    this.#deps.log.info({ session: this.id, cause, code, signal }, "worker exited");
    this.worker.vacate(failure);
    this.turns.workerGone();
    this.#own(this.update({ process: null }), "the end of a worker could not be noted");
  }

  // --- frames -------------------------------------------------------------------------------------

  #onFrame(frame: Frame, seq: number): void {
    this.#transcript.frame(frame);
    switch (frame.type) {
      case "usage":
        this.#usage = addUsage(this.#usage, frame);
        this.#ledger.add(frame, seq, this.#record, this.#journal);
        this.tellChange();
        break;
      case "extension_ui_request":
        if (this.#questions.ask(frame)) this.tellChange();
        break;
      case "done":
      case "compact_done":
        this.turns.frame(frame.type);
        this.#settle();
        break;
      case "error":
        this.turns.frame(frame.type);
        break;
      default: // everything else concerns the transcript alone
    }
  }

  /** A frame of the server's own, numbered like any other. */
  #append(event: ServerEvent): void {
    this.#transcript.frame(event);
    this.#journal.append(Buffer.from(`${JSON.stringify(event)}\n`), 1);
    this.tellChange();
  }

  #settle(): void {
    this.#journal.after(() => {
      this.#own(this.#journal.settle(), "finished turns could not be settled");
      this.#own(this.#saveProgress(), "a session's progress could not be saved");
    });
  }

  #saveProgress(): Promise<void> {
    const { store } = this.#deps;
    return store.updateSession(this.id, {
      seq: this.#journal.seq,
      message_count: this.#transcript.messageCount,
    });
  }

  #resolve(id: string, how: Resolution): boolean {
    if (this.#questions.take(id) === undefined) return false;
    const { by, ...answer } = how;
    this.worker.ready?.tell({ type: "extension_ui_response", id, ...answer });
    this.#append({ type: "ui_resolved", id, time: now(), by, ...answer });
    return true;
  }

  /** Tells viewers how it stands: once per tick, however much has changed, and behind
   * the frames that changed it. */
  tellChange(): void {
    if (this.#telling) return;
    this.#telling = true;
    queueMicrotask(() => {
      this.#telling = false;
      this.audience.tell({ type: "session", session: this.view() });
    });
  }

  #own(work: Promise<unknown>, problem: string): void {
    work.catch((error: unknown) => this.#report(error, problem));
  }

  #report(error: unknown, problem: string): void {
    this.#deps.log.warn({ session: this.id, err: error }, problem);
  }
}

const now = (): string => new Date().toISOString();
