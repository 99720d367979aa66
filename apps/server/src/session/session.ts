// One session: wires its log, transcript, projections, questions, worker, turns and viewers together. It outlives its worker,
// which is started when needed and given the transcript again if it can restore it.
import type {
  Author,
  HelloData,
  Question,
  ServerEvent,
  SessionInfo,
  UiResponseCommand,
  Usage,
} from "@patchbay/protocol";
import { SessionProjections } from "../projections/session-projections.ts";
import type { SessionRecord } from "../store/session-record.ts";
import { type LoadedSession, loadSession } from "./load-session.ts";
import type { Journal } from "./log/journal.ts";
import type { LiveTranscript, Snapshot } from "./log/live-transcript.ts";
import { OneAtATime } from "./one-at-a-time.ts";
import { Progress } from "./progress.ts";
import { SessionQuestions } from "./questions/session-questions.ts";
import { Coalesced } from "./record/coalesced.ts";
import { CommandReceipts } from "./record/command-receipts.ts";
import { CurrentRecord, type RecordChange } from "./record/current-record.ts";
import { SessionWrites } from "./record/session-writes.ts";
import type { SessionDependencies } from "./session-dependencies.ts";
import { sessionView } from "./session-view.ts";
import { SideWork } from "./side-work.ts";
import { Silence } from "./silence.ts";
import { restoredTask } from "./turns/queue.ts";
import type { TurnStates } from "./turns/turn-states.ts";
import { Turns } from "./turns/turns.ts";
import type { Attachment } from "./viewers/attachment.ts";
import { Audience } from "./viewers/audience.ts";
import { SessionWorker } from "./worker/session-worker.ts";
import type { WorkerEnd } from "./worker/worker-link.ts";
import type { WorkerSlot } from "./worker/worker-slot.ts";
import { WorkerStats } from "./worker/worker-stats.ts";

export class Session {
  readonly receipts: CommandReceipts;
  readonly audience: Audience;
  readonly turns: Turns;
  readonly turnStates: TurnStates;
  readonly projections: SessionProjections;
  readonly stats = new WorkerStats();
  /** Queries that read the whole transcript. */
  readonly transcriptReads = new OneAtATime(100);
  readonly #deps: SessionDependencies;
  readonly #journal: Journal;
  readonly #transcript: LiveTranscript;
  readonly #writes: SessionWrites;
  readonly #record: CurrentRecord;
  readonly #questions: SessionQuestions;
  readonly #worker: SessionWorker;
  readonly #sideWork: SideWork;
  readonly #progress: Progress;
  /** Signals that something about the session has changed. */
  readonly #changes = new Coalesced();
  readonly #measured = new Coalesced();
  readonly #silence: Silence;

  /** Opens the session from the store; `usage` is what it has spent according to the ledger. */
  static async open(record: SessionRecord, usage: () => Usage, deps: SessionDependencies): Promise<Session> {
    const loaded = await loadSession(deps, record);
    return new Session({ ...record, process: null }, usage(), deps, loaded);
  }

  /** Each part is given parts that exist; what happens later reaches them as events. */
  private constructor(record: SessionRecord, usage: Usage, deps: SessionDependencies, loaded: LoadedSession) {
    const { journal, transcript, turnStates } = loaded;
    const changes = this.#changes;
    this.#deps = deps;
    this.#silence = new Silence(deps.limits.turn_silence_ms);
    this.#journal = journal;
    this.#transcript = transcript;
    this.#writes = new SessionWrites(loaded.owned, record.id, deps.log);
    this.#record = new CurrentRecord(record, this.#writes, changes);
    this.receipts = new CommandReceipts(loaded.receipts, this.#writes);
    this.#progress = new Progress(journal, transcript, this.#writes);
    this.#sideWork = new SideWork(this.#record, changes);
    this.#questions = new SessionQuestions({
      ...{ journal, writes: this.#writes, changes, permissions: deps.permissions },
      asker: () => this.record,
    });
    this.projections = new SessionProjections(
      { ...deps, isCovered: (question) => this.#questions.isCovered(question) },
      journal,
      this.#record,
      loaded,
      usage,
      {
        failed: (error, problem) => this.#writes.report(error, problem),
        spent: () => changes.signalSoon(),
      },
    );
    this.#worker = new SessionWorker({
      ...deps,
      record: this.#record,
      journal,
      changes,
      snapshot: () => transcript.snapshot(),
      ask: this.#questions.askPeople,
      needsPermits: () => this.projections.spending.admission.needsPermits,
    });
    this.turnStates = turnStates;
    this.audience = new Audience(journal, deps.limits);
    this.turns = new Turns({
      limits: deps.limits,
      journal,
      writes: this.#writes,
      worker: this.#worker.slot,
      guard: this.projections.spending,
      states: turnStates,
      waiting: loaded.queue.map(restoredTask),
      changed: () => changes.signal(),
      queueChanged: (items) => this.audience.sendState({ type: "queue", items }),
    });

    for (const part of [
      this.projections,
      this.#worker,
      this.turns,
      this.#questions,
      this.#sideWork,
      this.#progress,
    ])
      journal.subscribe(part);
    journal.showTo((frames) => this.audience.show(frames));
    this.#questions.deliverTo((answer) => this.worker.ready?.send(answer));
    this.projections.spending.onUsedUp(() => this.turns.endWork());
    this.projections.spending.admission.permitTo((permit) => this.worker.link?.send(permit));
    this.#worker.onExit((end) => this.#workerEnded(end));
    const announce = () => this.audience.sendState({ type: "session", session: this.view() });
    changes.listen(() => {
      this.stats.touch();
      announce();
    });
    this.#measured.listen(announce);
  }

  get id(): string {
    return this.#record.current.id;
  }

  get record(): SessionRecord {
    return this.#record.current;
  }

  get worker(): WorkerSlot {
    return this.#worker.slot;
  }

  /** The hello of the current worker. */
  get hello(): HelloData | undefined {
    return this.#worker.hello;
  }

  view(): SessionInfo {
    return sessionView({
      record: this.record,
      worker: this.worker,
      logProblem: this.#deps.logProblem(),
      holder: this.#deps.holder(),
      resources: this.stats.resources,
      silentSince: this.#waitsForModel ? this.#silence.since(this.#journal.seq) : undefined,
      kind: this.#deps.kind,
      current: {
        job: this.#job,
        pending: this.pending,
        capabilities: this.hello?.capabilities ?? [...(this.record.capabilities ?? [])],
        ...this.#transcript.summary,
        seq: this.#journal.seq,
        usage: this.projections.spending.usage,
        viewers: this.audience.size,
      },
    });
  }

  /** What the list shows of it when it is not open. */
  get progress(): Pick<SessionRecord, "message_count" | "summary"> {
    const { message_count, ...summary } = this.#transcript.summary;
    return { message_count, summary };
  }

  /** The running turn, or else a person's own command. */
  get #job(): SessionInfo["job"] {
    return this.turns.running ?? this.#sideWork.running;
  }

  /** Resolves when the viewer is up to date; it stays so until it is detached. */
  attach(attachment: Attachment, since: number | undefined): Promise<void> {
    return this.audience.attach(attachment, since, {
      view: () => this.view(),
      snapshot: this.snapshot,
      extras: () => [{ type: "queue", items: this.turns.items }],
    });
  }

  /** Resolves when viewers have been shown every frame so far. */
  shown(): Promise<void> {
    return this.#journal.flushed();
  }

  snapshot = (): Promise<Snapshot> => this.#transcript.snapshot();

  /** For viewers: waits until the log has everything that the snapshot shows. */
  async shownSnapshot(): Promise<Snapshot> {
    const snapshot = await this.snapshot();
    await this.shown();
    return snapshot;
  }

  update(change: RecordChange): Promise<void> {
    return this.#record.update(change);
  }

  /** Changes its place in the list (pinned, archived, deleted), which does not count as an update of the session. */
  place(change: RecordChange): Promise<void> {
    return this.#record.place(change);
  }

  /** The worker has dropped its transcript. zot only answers the command, so the server logs a frame for all viewers. */
  cleared(): void {
    this.#append({ type: "cleared", time: now() });
  }

  /** The open questions. */
  get pending(): Question[] {
    return this.#questions.pending;
  }

  /** The first answer wins. Null, or what is wrong with this one. */
  answer(answer: UiResponseCommand, by: Author): string | null {
    return this.#questions.answer(answer, by);
  }

  /** Ends the worker and keeps the session. */
  async stop(by?: Author): Promise<void> {
    this.turns.requestStop(by);
    await this.worker.stop();
  }

  /** No viewer is attached, nothing runs and no held queue waits: the session can be unloaded. */
  get isAtRest(): boolean {
    if (this.audience.size > 0 || this.worker.is !== "empty" || this.#job !== null) return false;
    return this.turns.items.length === 0 || !(this.projections.spending.isHolding || this.turns.isHeld);
  }

  /** Its worker is idle, and a later start can restore its context: it may be stopped without losing anything. */
  get canPause(): boolean {
    if (this.worker.is !== "ready" || this.#job !== null || this.#questions.pending.length > 0) return false;
    return this.#worker.canBeRestored;
  }

  /** Budgets have changed: the worker learns whether it must ask before each model call. */
  limitsChanged(): void {
    this.#worker.requirePermits();
  }

  /** Measures the resource use of the worker, and how long its turn has been silent. */
  measure(): void {
    const turn = { seq: this.#journal.seq, waitsForModel: this.#waitsForModel };
    const isNews = this.#silence.check(turn);
    if (this.stats.measure(this.worker.link) || isNews) this.#measured.signal();
  }

  get #waitsForModel(): boolean {
    return (
      this.turns.running === "prompt" &&
      this.worker.is === "ready" &&
      this.#questions.pending.length === 0 &&
      !this.#transcript.runsTool
    );
  }

  /** For when the log cannot be written, or can be again: this must not wait for the log. */
  announceNow(): void {
    this.audience.sendStateNow({ type: "session", session: this.view() });
  }

  async close(reason: "session_deleted" | "going_away"): Promise<void> {
    this.turns.close();
    this.#questions.close();
    await this.worker.close();
    await this.#journal.flushed();
    this.audience.closeAll(reason);
    this.turnStates.close();
    await this.projections.flushed();
    await this.#writes.flushed();
    await this.#progress.save();
    await this.#journal.close();
  }

  /** Ends everything that the worker had begun, and logs it in this order. */
  #workerEnded({ cause, code, signal, reason, stderr, wasStopped }: WorkerEnd): void {
    // A worker that ends in good order between turns has not failed.
    const inOrder = cause === "exited" && code === 0 && this.turns.running === null;
    const failure = inOrder && this.worker.is !== "starting" ? undefined : reason;
    const shown = this.worker.willRetryInFallback || failure === undefined ? {} : { reason: failure, stderr };
    this.#questions.withdrawAll();
    this.#sideWork.workerEnded();
    this.projections.workerEnded();
    this.#append({ type: "worker", event: "exited", time: now(), code, signal, ...shown });
    this.#deps.log.info({ session: this.id, cause, code, signal }, "worker exited");
    this.worker.workerExited(wasStopped ? undefined : failure);
    this.turns.workerEnded();
    // Only when the log has the exit: if the server dies before, the recorded process makes the next start repair the log.
    this.#journal.afterShown(() => {
      if (this.worker.is !== "empty") return; // the next worker has been recorded, or will be
      this.#record.note({ process: null, seq: this.#journal.seq }, "an end could not be noted");
    });
  }

  /** A frame of the server's own, numbered like any other. */
  #append(event: ServerEvent): void {
    this.#journal.appendOwn(event);
    this.#changes.signal();
  }
}

const now = (): string => new Date().toISOString();
