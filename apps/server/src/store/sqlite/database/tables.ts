// The tables. Times are milliseconds, what calls cost is nano-dollars, both whole numbers. A value that is only read as a whole is JSON.
import type { Generated } from "kysely";
import type { Certainty, PriceSource } from "../../ledger-types.ts";
import type { CredentialRecord } from "../../people/credential-store.ts";
import type { LoginRecord } from "../../people/login-store.ts";
import type { ShareRecord } from "../../people/share-store.ts";
import type { TokenRecord } from "../../people/token-store.ts";

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
    /** JSON of a SessionSummary. */
    summary: string | null;
    /** JSON of an array of names. */
    capabilities: string | null;
    /** The id of a person; null: of the holder of the token. */
    owner: string | null;
    /** JSON of a SessionAccess; null: private. */
    access: string | null;
  };
  queue: {
    session: string;
    id: string;
    position: number;
    /** The newest frame when a worker received the task; null: it waits. */
    sent_seq: number | null;
    /** `unknown`: a worker received it, and the log does not show whether it began. `held`: a person has stopped the queue. */
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
    /** The number of the prompt's frame; 0: before any prompt. */
    turn: number;
    price: PriceSource;
    cache_write_1h: number;
    /** 1: in the provider's fast mode. */
    fast: number;
    searches: number;
    images: number;
    certainty: Certainty;
    low_nanos: number | null;
    high_nanos: number | null;
    list_nanos: number | null;
    /** The id of a person. */
    caused_by: string | null;
    /** `session`: from a log; `import`: from a file of another program. */
    origin: "session" | "import";
    /** The id of the model call: see LedgerEntry. */
    call: string | null;
  };
  /** Sums by quarter of an hour, for queries with several dimensions. */
  spend: Spent & Sums & { quarter: number };
  /** Sums by one dimension at a time: the first queries of a dashboard, without reading a million rows. */
  spend_by: Figures & Sums & { dimension: string; quarter: number; name: string };
  /** The texts of the search. Their full-text index is `said_words`, a virtual table of SQLite. */
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
  /** Imported files, and how far they were read. */
  import_files: { path: string; bytes: number; tail: string; state: string };
  /** The agents' own ids of sessions. Like the ledger, they stay when the session is deleted. */
  agent_sessions: { agent_session: string; session: string; since: number };
  /** Sessions that were created by a call with an idempotency key. They stay when the session is deleted. */
  session_keys: { sender: string; key: string; session: string; time: number };
  /** The last indexed frame of each session. */
  said_upto: { session: string; seq: number };
  repricings: {
    id: string;
    time: number;
    by: string;
    reason: string;
    query: string;
    catalog: string;
    entries: number;
    before_nanos: number;
    after_nanos: number;
    unpriced_before: number;
    unpriced_after: number;
    finished: number;
  };
  /** The price of each entry before and after a repricing. */
  repriced: {
    repricing: string;
    session: string;
    seq: number;
    before_nanos: number;
    before_price: string;
    after_nanos: number;
    after_price: string;
  };
  logins: LoginRecord;
  people: {
    id: string;
    handle: string;
    name: string;
    role: string;
    state: string;
    /** 0 or 1. */
    is_holder: number;
    created_at: number;
  };
  /** `scopes` is JSON of an array of names. */
  tokens: Omit<TokenRecord, "scopes"> & { scopes: string };
  /** `hidden` is JSON of an array of names. */
  shares: Omit<ShareRecord, "hidden" | "mode"> & { hidden: string; mode: string };
  shared_documents: { share: string; session: string; document: string };
  audit: {
    seq: number;
    time: number;
    person: string | null;
    author: string;
    via: string;
    address: string;
    action: string;
    target: string;
    result: string;
    /** JSON. */
    detail: string;
    hash: string;
  };
  /** One row at most. */
  audit_anchor: { seq: number; hash: string };
  /** `data` is JSON. */
  credentials: Omit<CredentialRecord, "kind"> & { kind: string };
  groups: { id: string; name: string };
  group_members: { group: string; person: string };
  /** `permission` is JSON; the other columns are its fields. */
  permissions: { id: string; session: string | null; created_at: number; permission: string };
  /** What was announced once for a period. `data` is JSON. */
  announcements: {
    id: string;
    time: number;
    kind: string;
    subject: string;
    target: string;
    period: number;
    data: string;
    /** 0 or 1. */
    dismissed: number;
  };
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
    /** What people enter: limits reach beyond what nano-dollars can hold. */
    amount_micros: number | null;
    reason: string;
    message: string;
  };
  /** Sums by turn. */
  turn_spend: Spent & Sums & { session: string; turn: number; started: number; ended: number };
}

/** Amounts with their dimensions. */
interface Spent extends Figures {
  person: string;
  cwd: string;
  /** The git branch; empty: none. */
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
  cost_nanos: number;
  unpriced: number;
}

interface Sums {
  calls: number;
  /** Calls with an estimated cost, and by how much all of them may have cost less or more. */
  estimated: number;
  below_nanos: number;
  above_nanos: number;
}
