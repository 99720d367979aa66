// The ledger: a projection of the logs. An entry's identity is its usage frame, so recording a frame again,
// as catching up after a crash does, changes nothing; the sums are written with the entries, or neither is.
import { setTimeout as delay } from "node:timers/promises";
import type { CompiledQuery } from "kysely";
import type { ImportedCall, ImportOutcome } from "../../imported.ts";
import type { LedgerEntry } from "../../ledger-types.ts";
import type { Database } from "../database/database.ts";
import { entriesOfCalls, sortImported } from "./imported-calls.ts";
import { takeOut } from "./ledger-retract.ts";
import { toLedgerRow } from "./ledger-row.ts";
import { Sums } from "./ledger-sums.ts";

/** Nobody reads costs faster than this, and a commit each would cost more than the frames do. */
const gatherMs = 20;

export class Ledger {
  readonly #db: Database;
  readonly #sums: Sums;
  /** One entry. Compiled once: the query builder costs ten times what SQLite does for a row. */
  readonly #insert: CompiledQuery;
  #waiting: LedgerEntry[] = [];
  /** Entries are being gathered. */
  #writing: Promise<void> | undefined;
  #inserting: Promise<void> = Promise.resolve();
  /** The newest recorded frame of each session that was asked for: entries come in the order of their frames. */
  readonly #positions = new Map<string, number>();

  constructor(db: Database) {
    this.#db = db;
    this.#sums = new Sums(db);
    this.#insert = db.query.insertInto("ledger").values(toLedgerRow(anEntry)).compile();
  }

  /** Resolves when the entries are written. Those that arrive close together, of all sessions, are written together. */
  record(entries: readonly LedgerEntry[]): Promise<void> {
    if (entries.length === 0) return Promise.resolve();
    this.#waiting.push(...entries);
    this.#writing ??= delay(gatherMs).then(() => {
      this.#writing = undefined;
      this.#inserting = this.#inserting.catch(() => {}).then(() => this.#write());
      return this.#inserting;
    });
    return this.#writing;
  }

  /** What was handed over is written, or its owner has been told that it is not. */
  async flushed(): Promise<void> {
    await this.#writing?.catch(() => {});
    await this.#inserting.catch(() => {});
  }

  /** Runs between two writes: what it reads is whole, and nothing comes between it and what it writes. */
  between<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#inserting.catch(() => {}).then(work);
    this.#inserting = done.then(
      () => {},
      () => {}, // whoever asked for the work is told
    );
    return done;
  }

  /** The newest recorded frames of the sessions that were asked for or written to. */
  get positions(): ReadonlyMap<string, number> {
    return new Map(this.#positions);
  }

  async position(session: string): Promise<number> {
    await this.flushed();
    return this.#position(session);
  }

  async #position(session: string): Promise<number> {
    const known = this.#positions.get(session);
    if (known !== undefined) return known;
    const row = await this.#db.query
      .selectFrom("ledger")
      .select(({ fn }) => fn.max("seq").as("seq"))
      .where("session", "=", session)
      .executeTakeFirst();
    const position = row?.seq ?? 0;
    this.#positions.set(session, position);
    return position;
  }

  async #write(): Promise<void> {
    const given = this.#waiting;
    this.#waiting = [];
    const newest = new Map<string, number>();
    const fresh: LedgerEntry[] = [];
    for (const entry of given) {
      const last = newest.get(entry.session) ?? (await this.#position(entry.session));
      if (entry.seq <= last) continue;
      newest.set(entry.session, entry.seq);
      fresh.push(entry);
    }
    if (fresh.length === 0) return;
    // What a file had told is told by its log now, which knows more: for which prompt of which session it was.
    const calls = fresh.flatMap(({ call }) => call ?? []);
    const told = calls.length === 0 ? [] : await entriesOfCalls(this.#db, calls);
    await this.#add(
      fresh,
      told.filter(({ origin }) => origin === "import"),
    );
    for (const [session, seq] of newest) this.#positions.set(session, seq);
  }

  /** Behind everything that was handed over before it, so that a log's own account of a call is always seen. */
  async recordImported(given: readonly ImportedCall[], mode: "write" | "try"): Promise<ImportOutcome> {
    await this.flushed();
    return this.between(async () => {
      const known = await entriesOfCalls(
        this.#db,
        given.map(({ call }) => call),
      );
      const { outcome, add, remove } = sortImported(given, known);
      if (mode === "try" || add.length === 0) return outcome;
      const newest = new Map<string, number>();
      const entries: LedgerEntry[] = [];
      for (const call of add) {
        const seq = (newest.get(call.session) ?? (await this.#position(call.session))) + 1;
        newest.set(call.session, seq);
        entries.push({ ...call, seq, origin: "import" });
      }
      await this.#add(entries, remove);
      for (const [session, seq] of newest) this.#positions.set(session, seq);
      return outcome;
    });
  }

  #add(fresh: readonly LedgerEntry[], outdated: readonly LedgerEntry[]): Promise<void> {
    const inserts = fresh.map((entry) => ({
      ...this.#insert,
      parameters: Object.values(toLedgerRow(entry)),
    }));
    return this.#db.write(...takeOut(this.#db, outdated), ...inserts, ...this.#sums.add(fresh));
  }
}

/** Any: it only gives the statement its columns. */
const anEntry: LedgerEntry = {
  session: "",
  seq: 0,
  time: "1970-01-01T00:00:00.000Z",
  turn: 0,
  person: "",
  cwd: "",
  branch: "",
  worker: "",
  provider: "",
  model: "",
  input: 0,
  output: 0,
  cache_read: 0,
  cache_write: 0,
  thinking: 0,
  cost_micros: 0,
  price: "none",
};
