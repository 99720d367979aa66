// The worker of a session: launches it, makes it ready, restores its context, passes its lines to the journal, and keeps its
// hello.
import type { Frame, HelloData } from "@patchbay/protocol";
import type { Logger } from "../../diagnostics/logger.ts";
import type { Store } from "../../store/store.ts";
import type { Journal } from "../log/journal.ts";
import type { Snapshot } from "../log/live-transcript.ts";
import type { Coalesced } from "../record/coalesced.ts";
import type { CurrentRecord } from "../record/current-record.ts";
import { greetWorker } from "./greet-worker.ts";
import { canRestoreContext, type LaunchOptions, launchWorker } from "./launch-worker.ts";
import { type AskPeople, authorizeStart } from "./project-trust.ts";
import type { WorkerEnd, WorkerLink } from "./worker-link.ts";
import { WorkerSlot } from "./worker-slot.ts";

interface SessionWorkerOptions extends LaunchOptions {
  store: Pick<Store, "settings">;
  log: Logger;
  record: CurrentRecord;
  journal: Journal;
  changes: Coalesced;
  /** Resolves when another worker may be started; rejects with a sentence for a person at the limit. */
  admit(): Promise<void>;
  snapshot(): Promise<Snapshot>;
  ask: AskPeople;
  /** Whether a budget must permit each model call. */
  needsPermits(): boolean;
}

export class SessionWorker {
  readonly slot: WorkerSlot;
  readonly #options: SessionWorkerOptions;
  #hello: HelloData | undefined;
  /** The worker asks before each model call. */
  #asks = false;
  #ended: (end: WorkerEnd) => void = () => {};

  constructor(options: SessionWorkerOptions) {
    this.#options = options;
    const { machine, kind, store, record, ask, admit, changes } = options;
    const { id: session, cwd } = record.current;
    this.slot = new WorkerSlot({
      admit,
      authorize: (signal) =>
        authorizeStart(
          { session, cwd, worker: kind.name, workers: machine.workers, settings: store.settings, ask },
          signal,
        ),
      hasFallback: kind.hasFallback,
      launch: (fallback, added) => this.#launch(fallback, added),
      greet: (link) => this.#greet(link),
      changed: () => changes.signal(),
    });
  }

  /** Called when the process has ended, in every state. */
  onExit(ended: (end: WorkerEnd) => void): void {
    this.#ended = ended;
  }

  /** The hello of the current worker. */
  get hello(): HelloData | undefined {
    return this.#hello;
  }

  /** A restarted worker would have the context of the conversation. */
  get canBeRestored(): boolean {
    return canRestoreContext(this.#options.record.current, this.#options.kind, this.#hello);
  }

  /** Lets the worker ask before each model call where a budget applies. Before its hello, `#greet` will do it. */
  requirePermits(): void {
    if (this.#hello?.capabilities?.includes("call_permits") !== true) return;
    const required = this.#options.needsPermits();
    if (required === this.#asks) return;
    this.#asks = required;
    this.slot.link?.send({ type: "require_permits", required });
  }

  frame(frame: Frame): void {
    if (this.#hello === undefined) return;
    // The agent's own session is open then, and with it everything is known that depends on it.
    if (frame.type === "turn_end") return this.#noteAbilities(this.#hello, false);
    if (frame.type !== "commands_changed") return;
    // Capabilities may change after the hello.
    const { capabilities } = frame;
    if (capabilities !== undefined) {
      this.#hello = { ...this.#hello, capabilities };
      this.#noteAbilities(this.#hello, false);
      this.#options.record.note({ capabilities }, "what an agent can do could not be noted");
    }
    this.#options.changes.signal();
  }

  /** For the list of agents. */
  #noteAbilities({ version, capabilities = [] }: HelloData, isHello: boolean): void {
    const { machine, kind } = this.#options;
    machine.workers.noteAbilities(kind.name, { version, capabilities, isHello });
  }

  #launch(fallback: boolean, added: readonly string[]): WorkerLink {
    const { journal, record, limits, log } = this.#options;
    const session = record.current.id;
    journal.appendOwn({ type: "worker", event: "starting", time: now() });
    this.#options.changes.signal();
    return launchWorker(
      record.current,
      this.#options,
      { fallback, added },
      {
        run: (read) => journal.readRun(read),
        segment: (bytes, count, items, release) => journal.append(bytes, count, items, release),
        pressure: () => (journal.unshownBytes > limits.unwritten_bytes ? journal.flushed() : undefined),
        failed: (err) => log.error({ session, err }, "what a worker wrote could not be handled"),
        noise: (line, problem) =>
          log.warn({ session, line, problem }, "the worker wrote a line that is no frame"),
        exited: (end) => {
          this.#hello = undefined;
          this.#asks = false;
          this.#ended(end);
        },
      },
    );
  }

  async #greet(link: WorkerLink): Promise<void> {
    const { journal, record, changes, snapshot } = this.#options;
    const onHello = (hello: HelloData): Promise<void> => {
      this.#hello = hello;
      this.#noteAbilities(hello, true);
      this.requirePermits();
      const { provider, model, capabilities = [] } = hello;
      return record.update({ provider, model, capabilities, process: link.mark });
    };
    const restored = await greetWorker(link, record.current, this.#options, onHello, snapshot);
    const pid = link.pid === undefined ? {} : { pid: link.pid };
    journal.appendOwn({ type: "worker", event: "ready", time: now(), restored, ...pid });
    changes.signal();
  }
}

const now = (): string => new Date().toISOString();
