// The tables. Times are milliseconds, money is micro-dollars, both whole numbers; what is only ever read
// back whole is JSON text.
import type { Generated } from "kysely";
import type { PriceSource } from "../../ledger-types.ts";
import type { LoginRecord } from "../../login-store.ts";

export interface Tables {
  settings: { name: string; value: string };
  deliveries: { id: string; url: string; event: string; body: string; attempts: number; next_at: number };
  sessions: {
    id: string;
    name: string;
    worker: string;
    dialect: string;
    cwd: string;
    provider: string;
    model: string;
    created_at: number;
    updated_at: number;
    seq: number;
    message_count: number;
    process_pid: number | null;
    process_tag: string | null;
    process_started: string | null;
    /** 0 or 1. */
    pinned: number;
    archived: number;
    deletes_at: number | null;
    agent_session: string | null;
    project: string | null;
    /** JSON of a Worktree. */
    worktree: string | null;
  };
  queue: {
    session: string;
    id: string;
    position: number;
    /** The newest frame when the task was given to a worker; null: it waits. */
    sent_seq: number | null;
    /** `unknown`: it was given to a worker, and nothing shows whether it had begun. */
    fate: string | null;
    task: string;
  };
  questions: { session: string; id: string; question: string };
  answers: { session: string; viewer: string; id: string; response: string; time: number };
  ledger: Spent & {
    session: string;
    seq: number;
    time: number;
    /** UTC, computed on write: grouping by day needs no date functions. */
    day: string;
    /** The number of the prompt's frame that it was spent for; 0: before any. */
    turn: number;
    price: PriceSource;
    /** `session`: a log says so; `import`: a file of a program that ran outside. */
    origin: "session" | "import";
    /** Which model call it was, where that can be told wherever it is reported: see LedgerEntry. */
    call: string | null;
  };
  /** The ledger in quarters of an hour, for questions that look at several dimensions at once. */
  spend: Spent & Sums & { quarter: number };
  /** The same by one dimension at a time: what a dashboard asks first, without reading a million rows. */
  spend_by: Figures & Sums & { dimension: string; quarter: number; name: string };
  /** What was said, for the search; its words are in `said_words`, which only SQLite knows. */
  said: {
    id: Generated<number>;
    session: string;
    seq: number;
    part: number;
    kind: string;
    branch: string;
    time: number;
    text: string;
  };
  /** Files that were read for what they say was spent, and how far. */
  import_files: { path: string; bytes: number; tail: string; state: string };
  /** What agents call the sessions they had with us; they outlive the sessions, as the ledger does. */
  agent_sessions: { agent_session: string; session: string; since: number };
  /** Up to which frame a session is in `said`. */
  said_upto: { session: string; seq: number };
  repricings: {
    id: string;
    time: number;
    by: string;
    reason: string;
    query: string;
    catalog: string;
    entries: number;
    before_micros: number;
    after_micros: number;
    unpriced_before: number;
    unpriced_after: number;
    finished: number;
  };
  /** What each entry was before a repricing and is since. */
  repriced: {
    repricing: string;
    session: string;
    seq: number;
    before_micros: number;
    before_price: string;
    after_micros: number;
    after_price: string;
  };
  logins: LoginRecord;
  budgets: { id: string; terms: string; created_at: number; created_by: string };
  budget_events: {
    id: string;
    time: number;
    budget: string;
    event: string;
    target: string;
    session: string | null;
    by: string;
    period: number | null;
    amount_micros: number | null;
    reason: string;
    message: string;
  };
  /** The ledger by turn. */
  turn_spend: Spent & Sums & { session: string; turn: number; started: number; ended: number };
}

/** What, where, by whom. */
interface Spent extends Figures {
  person: string;
  cwd: string;
  /** Git's; empty where there is none. */
  branch: string;
  worker: string;
  provider: string;
  model: string;
}

interface Figures {
  input: number;
  output: number;
  cache_read: number;
  cache_write: number;
  thinking: number;
  cost_micros: number;
  unpriced: number;
}

interface Sums {
  calls: number;
}
