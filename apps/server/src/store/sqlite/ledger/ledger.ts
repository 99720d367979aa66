// The ledger: a projection of the logs. A usage frame identifies its entry, so recording a frame again after a crash changes nothing.
// Entries and sums are written in one transaction.
import { setTimeout as delay } from "node:timers/promises";
import type { CompiledQuery } from "kysely";
import type { ImportedCall, ImportOutcome } from "../../imported.ts";
import type { LedgerEntry } from "../../ledger-types.ts";
import type { Database } from "../database/database.ts";
import { entriesOfCalls, isLaterTruth, settle, sortImported, unnamedEntries } from "./imported-calls.ts";
import { retractEntries } from "./ledger-retract.ts";
import { toLedgerRow } from "./ledger-row.ts";
import { Sums } from "./ledger-sums.ts";

/** Entries are written in batches, because a commit for each would cost more than its frame. No reader needs them sooner. */
const batchMs = 20;

export class Ledger {
  readonly #db: Database;
  readonly #sums: Sums;
  /** Inserts one entry. Compiled once, because the query builder takes ten times as long as SQLite. */
  readonly #insert: CompiledQuery;
  #waiting: LedgerEntry[] = [];
  /** The batch that is being collected. */
  #writing: Promise<void> | undefined;
  #inserting: Promise<void> = Promise.resolve();
  /** The newest recorded frame of each session that was read. Entries arrive in the order of their frames. */
  readonly #positions = new Map<string, number>();

  constructor(db: Database) {
    this.#db = db;
    this.#sums = new Sums(db);
    this.#insert = db.query.insertInto("ledger").values(toLedgerRow(sampleEntry)).compile();
  }

  /** Resolves when the entries are written. Entries of all sessions that arrive within `batchMs` are written together. */
  record(entries: readonly LedgerEntry[]): Promise<void> {
    if (entries.length === 0) return Promise.resolve();
    this.#waiting.push(...entries);
    this.#writing ??= delay(batchMs).then(() => {
      this.#writing = undefined;
      this.#inserting = this.#inserting.catch(() => {}).then(() => this.#write());
      return this.#inserting;
    });
    return this.#writing;
  }

  /** Resolves when all recorded entries are written, or their `record` has rejected. */
  async flushed(): Promise<void> {
    await this.#writing?.catch(() => {});
    await this.#inserting.catch(() => {});
  }

  /** Runs between two writes: it reads a consistent state, and no other write comes before its own. */
  runExclusive<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#inserting.catch(() => {}).then(work);
    this.#inserting = done.then(
      () => {},
      () => {}, // the caller of runExclusive gets the error
    );
    return done;
  }

  /** The newest recorded frames of the sessions that were read or written. */
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
    // An entry from a log replaces an imported one: the log knows the session and the prompt.
    const calls = fresh.flatMap(({ call }) => call ?? []);
    const recorded = calls.length === 0 ? [] : await entriesOfCalls(this.#db, calls);
    const imported = recorded.filter(({ origin }) => origin === "import");
    await this.#add(
      fresh.map((entry) => {
        const truth = imported.find(({ call }) => call === entry.call);
        return truth !== undefined && isLaterTruth(truth, entry) ? settle(entry, truth) : entry;
      }),
      imported,
    );
    for (const [session, seq] of newest) this.#positions.set(session, seq);
  }

  /** Runs after all entries that were recorded before, so that it sees the calls of logs. */
  async recordImported(given: readonly ImportedCall[], mode: "write" | "preview"): Promise<ImportOutcome> {
    await this.flushed();
    return this.runExclusive(async () => {
      const known = await entriesOfCalls(
        this.#db,
        given.flatMap(({ call, also = [] }) => [call, ...also]),
      );
      const unnamed = await unnamedEntries(this.#db, given);
      const { outcome, add, settled, remove } = sortImported(given, [...known, ...unnamed]);
      if (mode === "preview" || add.length + settled.length === 0) return outcome;
      const newest = new Map<string, number>();
      const entries = settled; // in the place of their estimates
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
    return this.#db.write(...retractEntries(this.#db, outdated), ...inserts, ...this.#sums.add(fresh));
  }
}

/** Only its columns matter. */
const sampleEntry: LedgerEntry = {
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
  cost_nanos: 0,
  price: "none",
};
