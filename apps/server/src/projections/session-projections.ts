// What the store makes of a session's frames beside its log: the ledger of what was spent, and the search over
// what was said. Both follow the log and are caught up with it when the session is opened.
import type { ClearedFrame, Frame, StopRequestedFrame, Usage, WorkerFrame } from "@patchbay/protocol";
import type { LoadedSession } from "../session/load-session.ts";
import type { Journal } from "../session/log/journal.ts";
import { appendOwn, type Book } from "../session/log/own-frames.ts";
import type { SessionDependencies } from "../session/session-dependencies.ts";
import type { Keeper } from "../session/session-writes.ts";
import type { SessionRecord } from "../store/store.ts";
import { CutCall } from "./interrupted-call.ts";
import { SearchNews } from "./search-indexer.ts";
import { Spending } from "./spending.ts";
import { TurnWatch } from "./turn-events.ts";

interface ProjectionsOwner {
  keep: Keeper;
  /** The session has spent more, or less, than was known. */
  changed(): void;
  /** A budget is used up: whatever runs is to end. */
  stop(): Promise<void>;
}

export class Projections {
  readonly spending: Spending;
  readonly #book: Book;
  readonly #cut = new CutCall();
  readonly #journal: Journal;
  readonly #search: SearchNews;
  readonly #watch: TurnWatch | undefined;

  constructor(
    deps: SessionDependencies,
    session: string,
    loaded: LoadedSession,
    usage: Usage,
    { keep, changed, stop }: ProjectionsOwner,
  ) {
    this.#book = loaded;
    this.#journal = loaded.journal;
    this.spending = new Spending(deps, loaded, usage, {
      failed: (error) => keep.report(error, "the ledger could not be written"),
      changed,
      stop,
    });
    this.#watch = deps.news === undefined ? undefined : new TurnWatch(deps.news);
    this.#search = new SearchNews(deps.store, session, loaded, (error) =>
      keep.report(error, "the search could not be told"),
    );
  }

  frame(frame: Frame, seq: number, record: SessionRecord): void {
    this.#cut.frame(frame);
    if (frame.type === "user_message" && frame.steering !== true) this.spending.prompted(seq);
    this.#watch?.frame(frame, seq, record);
    if (frame.type === "usage") {
      const entry = this.spending.frame(frame, seq, record);
      this.#watch?.spent(entry, frame.purpose, record);
    } else this.#search.frame(frame, seq);
  }

  /** The worker has ended. What a call had used by then was spent. */
  workerGone(record: SessionRecord): void {
    const usage = this.#cut.take();
    if (usage !== null) {
      appendOwn(this.#book, usage);
      this.frame(usage, this.#journal.seq, record);
    }
  }

  /** The newest frame says that the running turn was told to stop. */
  stopRequested(frame: StopRequestedFrame, record: SessionRecord): void {
    this.#watch?.frame(frame, this.#journal.seq, record);
  }

  /** The newest frame says that the transcript was dropped. */
  cleared(frame: ClearedFrame): void {
    this.#search.cleared(frame, this.#journal.seq);
  }

  /** The newest frame says that the worker has ended, and with it what it was saying. */
  exited(frame: WorkerFrame, record: SessionRecord): void {
    this.#search.frame(frame, this.#journal.seq);
    this.#watch?.frame(frame, this.#journal.seq, record);
  }

  async flushed(): Promise<void> {
    await this.spending.flushed();
    await this.#search.flushed(this.#journal.seq);
  }
}
