// What is computed from a session's log: the ledger of what was spent, the search over its text, and turn events for
// integrations. All follow the log, and catch up with it when the session is opened.
import type { Frame, UiRequestEvent, Usage } from "@patchbay/protocol";
import type { Budgets } from "../costs/budgets/budgets.ts";
import type { PlanLimits } from "../costs/plans/plan-limits.ts";
import type { Prices } from "../costs/prices/prices.ts";
import type { Machine } from "../machine/machine.ts";
import type { Store } from "../store/store.ts";
import { CallTracker, type Charge } from "./call-tracker.ts";
import { PendingAuthors } from "./pending-authors.ts";
import type { ProjectedLog, RecordSource } from "./projected-log.ts";
import { SearchIndexer } from "./search-indexer.ts";
import type { SearchTextReader } from "./search-text.ts";
import { Spending } from "./spending.ts";
import type { TurnEventListener } from "./turn-event.ts";
import { TurnEvents } from "./turn-events.ts";

interface Dependencies {
  store: Store;
  prices: Prices;
  budgets: Budgets;
  planLimits: PlanLimits;
  machine: Pick<Machine, "directories">;
  /** Absent where no integration listens. */
  turnEvents: TurnEventListener | undefined;
  /** Whether a question needs nobody, because a standing permission answers it. */
  isCovered(question: UiRequestEvent): boolean;
}

/** The state of the projections when the session was opened. */
export interface OpenedProjections {
  searchText: SearchTextReader;
  /** The newest prompt's frame; 0 when it is not in the replayable log. */
  turn: number;
  /** The person who sent it; undefined: not known. */
  causedBy: string | undefined;
  /** A budget holds the queue. */
  wasHeld: boolean;
  /** Usage that was missing from the ledger. */
  newUsage: Usage;
}

interface Listener {
  failed(error: unknown, problem: string): void;
  /** The session has spent more, or less, than was known. */
  spent(): void;
}

/** After these no call runs, also if it had no cost. */
const callEnds: ReadonlySet<string> = new Set<Frame["type"]>([
  "call_end",
  "auto_retry_start",
  "turn_end",
  "compact_done",
  "done",
]);

export class SessionProjections {
  readonly spending: Spending;
  readonly #log: ProjectedLog;
  readonly #record: RecordSource;
  readonly #searchText: SearchTextReader;
  readonly #search: SearchIndexer;
  readonly #events: TurnEvents | undefined;
  readonly #planLimits: PlanLimits;
  readonly #calls = new CallTracker();
  readonly #authors = new PendingAuthors();

  /** `usage`: what the session had spent according to the ledger. */
  constructor(
    deps: Dependencies,
    log: ProjectedLog,
    record: RecordSource,
    opened: OpenedProjections,
    usage: Usage,
    { failed, spent }: Listener,
  ) {
    this.#log = log;
    this.#planLimits = deps.planLimits;
    this.#record = record;
    this.#searchText = opened.searchText;
    this.spending = new Spending(deps, log, record, opened, usage, {
      failed: (error) => failed(error, "the ledger could not be written"),
      spent,
    });
    this.#events =
      deps.turnEvents === undefined ? undefined : new TurnEvents(deps.turnEvents, deps.isCovered);
    this.#search = new SearchIndexer(deps.store, record.current.id, opened.searchText, log, (error) =>
      failed(error, "the search index could not be written"),
    );
  }

  deltas(after: number, _count: number, answerBytes: number): void {
    this.#searchText.deltas(after);
    this.#calls.streamed(answerBytes);
  }

  frame(frame: Frame, seq: number): void {
    const record = this.#record.current;
    // Before anything else: what is charged here was spent before this frame.
    this.#charge(this.#calls.frame(frame, seq));
    const unreported = this.#calls.unreported(frame);
    if (unreported !== null) this.#log.appendOwn(unreported);
    const author = this.#authors.frame(frame);
    if (frame.type === "user_message" && frame.steering !== true) this.spending.prompted(seq, author?.person);
    if (frame.type === "turn_start") this.spending.callBegins();
    if (frame.type === "done") this.spending.turnEnds();
    this.#events?.frame(frame, seq, record);
    if (frame.type === "call_permit_request") this.spending.admission.request(frame);
    else if (callEnds.has(frame.type)) this.spending.admission.callEnded();
    if (frame.type === "plan_limits") this.#planLimits.told(record.worker, frame);
    if (frame.type !== "usage") this.#search.frame(frame, seq);
  }

  /** The worker has ended: charges what its running call had used. */
  workerEnded(): void {
    const { usage, charges } = this.#calls.ended();
    this.#charge(charges);
    if (usage !== null) this.#log.appendOwn(usage);
    this.spending.ended();
  }

  #charge(charges: readonly Charge[]): void {
    for (const charge of charges) {
      const entry = this.spending.charge(charge);
      this.#events?.spent(entry, charge.usage.purpose, this.#record.current);
    }
  }

  async flushed(): Promise<void> {
    await this.spending.flushed();
    await this.#search.flushed(this.#log.seq);
  }
}
