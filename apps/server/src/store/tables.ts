// The tables. Times are milliseconds, money is micro-dollars, both whole numbers; what is only ever read
// back whole is JSON text.

export interface Tables {
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
  };
  queue: { session: string; id: string; position: number; task: string };
  questions: { session: string; id: string; question: string };
  answers: { session: string; viewer: string; id: string; response: string; time: number };
  ledger: {
    session: string;
    seq: number;
    time: number;
    /** UTC, computed on write: grouping by day needs no date functions. */
    day: string;
    worker: string;
    provider: string;
    model: string;
    cwd: string;
    input: number;
    output: number;
    cache_read: number;
    cache_write: number;
    cost_micros: number;
    unpriced: number;
  };
}
