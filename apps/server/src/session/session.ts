// One session: its log, transcript, turns, questions, viewers and worker, in one record. It outlives
// its worker, which is started when needed and given the transcript back if it can take it.
import {
  addUsage,
  contextMessages,
  type Frame,
  type HelloData,
  type Message,
  noUsage,
  type ServerEvent,
  type SessionState,
  type Session as SessionView,
  type Transcript,
  type UiResolvedFrame,
  type UiResponseCommand,
  type Usage,
} from "@patchbay/protocol";
import type { Limits } from "../config-file.ts";
import type { LedgerEntry, SessionRecord, Store } from "../store/store.ts";
import type { Profile } from "../worker/profiles.ts";
import type { WorkerExit } from "../worker/worker-process.ts";
import { Answers } from "./answers.ts";
import { Audience } from "./audience.ts";
import { Journal } from "./journal.ts";
import { ledgerEntry } from "./ledger-entry.ts";
import { LiveTranscript } from "./live-transcript.ts";
import { Questions } from "./questions.ts";
import { Turns } from "./turns.ts";
import { WorkerLink } from "./worker-link.ts";
import { WorkerSlot } from "./worker-slot.ts";

export interface SessionLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export interface SessionDependencies {
  store: Store;
  limits: Limits;
  profile: Profile;
  /** What its worker sees of the environment. */
  environment: Record<string, string>;
  log: SessionLog;
}

interface Resolution {
  by: UiResolvedFrame["by"];
  value?: string | undefined;
  confirmed?: boolean | undefined;
  cancelled?: boolean | undefined;
}

export class Session {
  readonly answers = new Answers();
  readonly audience: Audience;
  readonly turns: Turns;
  readonly worker: WorkerSlot;
  readonly #deps: SessionDependencies;
  readonly #journal: Journal;
  readonly #transcript = new LiveTranscript();
  readonly #questions = new Questions((id) => this.#resolve(id, { by: "timeout", cancelled: true }));
  #record: SessionRecord;
  #hello: HelloData | undefined;
  #usage: Usage = noUsage;
  #newEntries: LedgerEntry[] = [];
  #telling = false;

  constructor(record: SessionRecord, deps: SessionDependencies) {
    this.#record = record;
    this.#deps = deps;
    const changed = () => this.#tellChange();
    this.#journal = new Journal(deps.store, record.id, {
      shown: (chunk) => this.audience.show(chunk),
      failed: (error) => deps.log.warn({ session: record.id, err: error }, "the log could not be written"),
    });
    this.audience = new Audience(this.#journal, deps.limits, {
      view: () => this.view(),
      transcript: () => this.transcript(),
      extras: () => [{ type: "queue", items: this.turns.items }],
    });
    this.worker = new WorkerSlot({
      launch: () => this.#launch(),
      greet: (link) => this.#greet(link),
      changed,
    });
    this.turns = new Turns({
      limit: deps.limits.queue_items,
      worker: () => this.worker.ensure(),
      changed,
      queueChanged: () => this.audience.tell({ type: "queue", items: this.turns.items }),
    });
  }

  get id(): string {
    return this.#record.id;
  }

  /** What the worker said of itself, as long as there is one. */
  get hello(): HelloData | undefined {
    return this.#hello;
  }

  view(): SessionView {
    const { failure } = this.worker;
    return {
      ...this.#record,
      state: this.#state(),
      ...(failure === undefined ? {} : { reason: failure }),
      job: this.turns.running,
      message_count: this.#transcript.messageCount,
      seq: this.#journal.seq,
      usage: this.#usage,
      pending: this.#questions.pending,
      viewers: this.audience.size,
      capabilities: this.#hello?.capabilities ?? [],
    };
  }

  transcript(): Transcript {
    return this.#transcript.current();
  }

  async update(change: Partial<Pick<SessionRecord, "name" | "provider" | "model">>): Promise<void> {
    this.#record = { ...this.#record, ...change, updated_at: now() };
    this.#tellChange();
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

  async close(reason: "session_deleted" | "going_away"): Promise<void> {
    this.turns.close();
    await this.worker.stop();
    await this.#journal.flushed();
    this.audience.dismiss(reason);
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

  // --- the worker ---------------------------------------------------------------------------------

  #launch(): WorkerLink {
    const { profile, environment, limits, log } = this.#deps;
    const { cwd, provider, model } = this.#record;
    const [program, ...args] = profile.command;
    const chosen = model === "" ? undefined : provider === "" ? model : `${provider}/${model}`;
    this.#append({ type: "worker", event: "starting", time: now() });
    const launch = {
      command: [program, ...args, ...profile.dialect.startArguments({ cwd, model: chosen })] as const,
      cwd,
      env: environment,
      maxLineBytes: limits.worker_line_bytes,
      stopWaitMs: limits.worker_stop_ms,
    };
    return new WorkerLink(launch, profile.dialect, {
      deltas: (bytes) => this.#transcript.deltas(bytes),
      frame: (frame) => this.#onFrame(frame),
      segment: (bytes, count) => {
        this.#journal.append(bytes, count, this.#newEntries);
        this.#newEntries = [];
      },
      noise: (line, problem) =>
        log.warn({ session: this.id, line, problem }, "the worker wrote a line that is no frame"),
      exited: (exit, reason, stderr) => this.#onExit(exit, reason, stderr),
    });
  }

  async #greet(link: WorkerLink): Promise<void> {
    const hello = await link.hello(this.#deps.limits.worker_start_ms);
    this.#hello = hello;
    await this.update({ provider: hello.provider, model: hello.model });
    const restored = await this.#restore(link, hello, contextMessages(this.transcript()));
    const pid = link.pid === undefined ? {} : { pid: link.pid };
    this.#append({ type: "worker", event: "ready", time: now(), restored, ...pid });
  }

  async #restore(link: WorkerLink, hello: HelloData, messages: Message[]): Promise<boolean> {
    if (messages.length === 0) return true;
    if (!hello.capabilities?.includes("restore")) return false;
    const response = await link.ask({ type: "restore", messages });
    if (!response.success)
      this.#deps.log.warn({ session: this.id, error: response.error }, "restore was refused");
    return response.success;
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
    this.turns.workerGone();
    this.worker.vacate(failure);
  }

  // --- frames -------------------------------------------------------------------------------------

  #onFrame(frame: Frame): void {
    this.#transcript.frame(frame);
    switch (frame.type) {
      case "usage":
        this.#usage = addUsage(this.#usage, frame);
        this.#newEntries.push(ledgerEntry(frame, this.#record));
        this.#tellChange();
        break;
      case "extension_ui_request":
        if (this.#questions.ask(frame)) this.#tellChange();
        break;
      case "done":
      case "compact_done":
        this.turns.frame(frame.type);
        this.#settleLog();
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
    this.#tellChange();
  }

  #settleLog(): void {
    const { store, limits, log } = this.#deps;
    this.#journal.after(() => {
      store.settle(this.id, this.#journal.shownSeq, limits.replay_bytes).catch((error: unknown) => {
        log.warn({ session: this.id, err: error }, "finished turns could not be dropped from the log");
      });
    });
  }

  #resolve(id: string, how: Resolution): boolean {
    if (this.#questions.take(id) === undefined) return false;
    const { by, ...answer } = how;
    this.worker.ready?.tell({ type: "extension_ui_response", id, ...answer });
    this.#append({ type: "ui_resolved", id, time: now(), by, ...answer });
    return true;
  }

  /** Once per tick, however much has changed, and behind the frames that changed it. */
  #tellChange(): void {
    if (this.#telling) return;
    this.#telling = true;
    queueMicrotask(() => {
      this.#telling = false;
      this.audience.tell({ type: "session", session: this.view() });
    });
  }
}

const now = (): string => new Date().toISOString();
