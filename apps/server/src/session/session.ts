// One session: its log, transcript, turns, questions, viewers and worker, in one record. It outlives
// its worker, which is started when needed and given the transcript back if it can take it.
import {
  type Frame,
  type HelloData,
  type ServerEvent,
  type Session as SessionView,
  type SettingsEvent,
  type UiResponseCommand,
  type Usage,
} from "@patchbay/protocol";
import type { WorkerExit } from "../machine/processes/worker-process.ts";
import { Projections } from "../projections/session-projections.ts";
import type { SessionRecord } from "../store/store.ts";
import { Changes } from "./coalesced.ts";
import { Answers } from "./commands/command-receipts.ts";
import { type LoadedSession, loadSession } from "./load-session.ts";
import type { Snapshot } from "./log/live-transcript.ts";
import { appendOwn, type Book, now, sayOwn } from "./log/own-frames.ts";
import { OneAtATime } from "./one-at-a-time.ts";
import { Progress } from "./progress.ts";
import { SessionQuestions } from "./questions/session-questions.ts";
import type { SessionDependencies } from "./session-dependencies.ts";
import { changedBy, sessionView, withAbilities } from "./session-view.ts";
import { Keeper } from "./session-writes.ts";
import { SideWork } from "./side-work.ts";
import { endTurn } from "./turns/end-turn.ts";
import { taskOfEarlier } from "./turns/queue.ts";
import { Turns } from "./turns/turns.ts";
import { keptBy, numberedBy } from "./turns/turns-options.ts";
import { Audience } from "./viewers/audience.ts";
import { greetWorker } from "./worker/greet-worker.ts";
import {
  bookkeeping,
  type LaunchOptions,
  launchWorker,
  remembers,
  waysToLaunch,
} from "./worker/launch-worker.ts";
import type { WorkerLink } from "./worker/worker-link.ts";
import { WorkerSlot } from "./worker/worker-slot.ts";
import { Vitals } from "./worker/worker-stats.ts";

export class Session {
  readonly answers: Answers;
  readonly audience: Audience;
  readonly turns: Turns;
  readonly worker: WorkerSlot;
  readonly #deps: SessionDependencies;
  readonly #book: Book;
  readonly #keep: Keeper;
  readonly projections: Projections;
  readonly #questions: SessionQuestions;
  #record: SessionRecord;
  #hello: HelloData | undefined;
  #joinsFollowUps = false;
  readonly #side: SideWork;
  /** Questions that go through the whole transcript. */
  readonly transcriptReads = new OneAtATime(100);
  readonly vitals = new Vitals();
  readonly #progress: Progress;
  readonly #changes = new Changes(() => this.audience.tell({ type: "session", session: this.view() }));

  /** Opens the session from the store; `usage` is what it has spent so far. */
  static async open(record: SessionRecord, usage: Usage, deps: SessionDependencies): Promise<Session> {
    let session: Session | undefined;
    const loaded = await loadSession(deps, record, (frames) => session?.audience.show(frames));
    return (session = new Session({ ...record, process: null }, usage, deps, loaded));
  }

  private constructor(record: SessionRecord, usage: Usage, deps: SessionDependencies, loaded: LoadedSession) {
    this.#record = record;
    this.#deps = deps;
    this.#book = loaded;
    this.#keep = new Keeper(deps.store, record.id, deps.log);
    this.projections = new Projections(deps, record.id, loaded, usage, {
      keep: this.#keep,
      changed: () => this.#changes.tellSoon(),
      stop: () => endTurn(this.turns, this.worker),
    });
    this.#progress = new Progress(this.#book, this.#keep);
    const changed = () => this.tellChange();
    this.#side = new SideWork(changed, this.#progress, (name) => {
      if (name !== this.#record.name) this.#keep.own(this.update({ name }), "a name could not be saved");
    });
    this.answers = new Answers(loaded.answers, this.#keep);
    this.#questions = new SessionQuestions({
      ...{ keep: this.#keep, worker: () => this.worker, changed },
      append: (event) => this.#append(event),
      say: (question) => sayOwn(this.#book, question, (frame, seq) => this.#onFrame(frame, seq)),
    });
    this.audience = new Audience(this.#book.journal, deps.limits, {
      view: () => this.view(),
      snapshot: () => this.snapshot(),
      extras: () => [{ type: "queue", items: this.turns.items }],
    });
    this.worker = new WorkerSlot({
      admit: deps.admit,
      ...waysToLaunch(deps, record, this.#questions.askPeople, (how) => this.#launch(how)),
      greet: (link) => this.#greet(link),
      changed,
    });
    this.turns = new Turns({
      limits: deps.limits,
      waiting: loaded.queue.map(taskOfEarlier),
      ...keptBy(this.#keep),
      ...numberedBy(this.#book.journal),
      worker: () => this.worker.ensure(),
      readyWorker: () => this.worker.ready,
      stopRequested: () => this.#noteStop(),
      joins: () => this.#joinsFollowUps,
      ...this.projections.spending.guard(() => this.#record),
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
    return sessionView({
      record: this.#record,
      worker: this.worker,
      trouble: this.#deps.trouble(),
      resources: this.vitals.resources,
      profile: this.#deps.profile,
      told: {
        job: this.#job,
        pending: this.#questions.pending,
        capabilities: this.#hello?.capabilities ?? [],
        ...this.#book.transcript.told,
        seq: this.#book.journal.seq,
        usage: this.projections.spending.usage,
        viewers: this.audience.size,
      },
    });
  }

  /** A turn, or beside it or alone a person's own command. */
  get #job(): SessionView["job"] {
    return this.turns.running ?? this.#side.running;
  }

  /** Resolves when viewers have been shown every frame so far. */
  shown(): Promise<void> {
    return this.#book.journal.flushed();
  }

  snapshot = (): Promise<Snapshot> => this.#book.transcript.snapshot();

  /** For people: it shows nothing that the log has not got. */
  async shownSnapshot(): Promise<Snapshot> {
    const snapshot = await this.snapshot();
    await this.shown();
    return snapshot;
  }

  update(change: Partial<Omit<SessionRecord, "id">>): Promise<void> {
    return this.place({ ...change, updated_at: now() });
  }

  /** Where it stands among the others, which is no change of the session itself. */
  async place(change: Partial<Omit<SessionRecord, "id">>): Promise<void> {
    this.#record = { ...this.#record, ...change };
    this.tellChange();
    await this.#keep.record(change);
  }

  /** The worker has dropped its transcript; zot tells only the one who asked for it. */
  cleared = (): void => this.projections.cleared(this.#append({ type: "cleared", time: now() }));

  /** The first answer wins; false when the question is no longer open. */
  answer({ type: _type, id, ...answer }: UiResponseCommand): boolean {
    return this.#questions.resolve(id, { by: "viewer", ...answer });
  }

  /** Ends the worker and keeps the session. */
  async stop(): Promise<void> {
    this.turns.requestStop();
    await this.worker.stop();
  }

  /** Nobody looks, nothing runs and nothing waits that is held: it can be opened again when needed. */
  get isAtRest(): boolean {
    if (this.audience.size > 0 || this.worker.is !== "empty" || this.#job !== null) return false;
    return this.turns.items.length === 0 || !(this.projections.spending.isHolding || this.turns.isHeld);
  }

  /** Its worker may be stopped without losing anything: it does nothing, and can be given its memory back. */
  get canPause(): boolean {
    if (this.worker.is !== "ready" || this.#job !== null || this.#questions.pending.length > 0) return false;
    return remembers(this.#record, this.#deps.profile, this.#hello);
  }

  /** Notes what the worker uses at the moment. */
  measure(): void {
    if (this.vitals.measure(this.worker.link?.pid)) this.#changes.tellNow();
  }

  async close(reason: "session_deleted" | "going_away"): Promise<void> {
    this.turns.close();
    await this.worker.stop();
    await this.#book.journal.flushed();
    this.audience.dismiss(reason);
    await this.projections.flushed();
    await this.#keep.flushed();
    await this.#progress.save();
    await this.#book.journal.close();
  }

  #launch(how: LaunchOptions): WorkerLink {
    this.#append({ type: "worker", event: "starting", time: now() });
    return launchWorker(this.#record, how, {
      ...bookkeeping(this.#book, this.#deps, this.id),
      frame: (frame, index) => this.#onFrame(frame, this.#book.journal.seq + 1 + index),
      exited: (exit, reason, stderr) => this.#onExit(exit, reason, stderr),
    });
  }

  async #greet(link: WorkerLink): Promise<void> {
    const introduced = (hello: HelloData): Promise<void> => {
      this.#hello = hello;
      return this.update({ provider: hello.provider, model: hello.model, process: link.mark });
    };
    const restored = await greetWorker(link, this.#record, this.#deps, introduced, this.snapshot);
    const pid = link.pid === undefined ? {} : { pid: link.pid };
    this.#append({ type: "worker", event: "ready", time: now(), restored, ...pid });
  }

  #onExit({ cause, code, signal }: WorkerExit, reason: string | undefined, stderr: string): void {
    // A worker that leaves in good order between turns has not failed.
    const inOrder = cause === "exited" && code === 0 && this.turns.running === null;
    const failure = inOrder && this.worker.is !== "starting" ? undefined : reason;
    const told = this.worker.hasAnotherTry ? undefined : failure;
    this.#hello = undefined;
    this.#questions.withdrawAll();
    this.#side.workerGone();
    this.projections.workerGone(this.#record);
    const how = { time: now(), code, signal, ...(told === undefined ? {} : { reason: told, stderr }) };
    this.projections.exited(this.#append({ type: "worker", event: "exited", ...how }), this.#record);
    this.#deps.log.info({ session: this.id, cause, code, signal }, "worker exited");
    this.worker.vacate(failure);
    this.turns.workerGone();
    // When the log tells of its end: until then, whoever finds the process noted has to mend the log.
    this.#book.journal.after(() => {
      if (this.worker.is !== "empty") return; // the next one has been noted, or will be
      const ended = this.update({ process: null, seq: this.#book.journal.seq });
      this.#keep.own(ended, "an end could not be noted");
    });
  }

  #onFrame(frame: Frame, seq: number): void {
    this.#book.transcript.frame(frame);
    this.projections.frame(frame, seq, this.#record);
    switch (frame.type) {
      case "user_message":
        this.turns.shown(frame);
        break;
      case "settings":
        this.#noteSettings(frame);
        break;
      case "commands_changed":
        this.#hello &&= withAbilities(this.#hello, frame.capabilities);
        return this.tellChange();
      case "extension_ui_request":
        this.#questions.ask(frame);
        break;
      case "done":
      case "compact_done":
        this.turns.frame(frame.type);
        this.#progress.settle();
        break;
      case "error":
        this.turns.frame(frame.type);
        break;
      default:
        this.#side.frame(frame);
    }
  }

  /** After the run that is being read: a frame of ours in the middle would take the number of one of the worker's. */
  #noteStop(): void {
    queueMicrotask(() =>
      this.projections.stopRequested(this.#append({ type: "stop_requested", time: now() }), this.#record),
    );
  }

  /** The worker tells how its controls stand. */
  #noteSettings(settings: SettingsEvent): void {
    this.#joinsFollowUps = settings.follow_up_mode === "all";
    const change = changedBy(this.#record, settings);
    if (change !== null) this.#keep.own(this.update(change), "its settings could not be noted");
  }

  /** A frame of the server's own, numbered like any other. */
  #append<E extends ServerEvent>(event: E): E {
    appendOwn(this.#book, event);
    this.tellChange();
    return event;
  }

  /** The log cannot be written, or can again: this must not wait behind it. */
  tellTrouble(): void {
    this.audience.tellNow({ type: "session", session: this.view() });
  }

  /** Tells viewers how it stands. */
  tellChange(): void {
    this.vitals.touch();
    this.#changes.tellNow();
  }
}
