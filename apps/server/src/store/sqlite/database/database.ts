// Opens and migrates the embedded database. Queries go through one query builder, so that they can run on another database too.
import { DatabaseSync } from "@photostructure/sqlite";
import {
  type CompiledQuery,
  Kysely,
  Migrator,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteStatement,
} from "kysely";
import { migrations } from "./migrations.ts";
import type { Tables } from "./tables.ts";

export interface Database {
  /** Runs reads, and builds statements for `write`. */
  readonly query: Kysely<Tables>;
  /** Runs the statements in order in one transaction. */
  write(...statements: readonly CompiledQuery[]): Promise<void>;
  close(): Promise<void>;
}

export async function openDatabase(path: string): Promise<Database> {
  const database = new DatabaseSync(path);
  // WAL with NORMAL: a commit survives the death of the process; a power cut may lose the newest ones. The WAL is written back only
  // when it is large (40 MB), because that waits for the disk and blocks every session.
  const pragmas = [
    "journal_mode = WAL",
    "synchronous = NORMAL",
    "wal_autocheckpoint = 10000",
    "busy_timeout = 5000",
  ];
  for (const pragma of pragmas) database.exec(`PRAGMA ${pragma}`);
  const isNew = database.prepare("select 1 from sqlite_master limit 1").get() === undefined;
  const adapted = asKyselyDatabase(database);
  const query = new Kysely<Tables>({ dialect: new SqliteDialect({ database: adapted }) });
  // Migrations are independent of each other and were not released in the order of their numbers.
  const provider = { getMigrations: async () => migrations({ isNew }) };
  const migrator = new Migrator({
    db: query,
    provider,
    allowUnorderedMigrations: true,
    nameComparator: (a, b) => (a < b ? -1 : 1), // the default loads a locale, which took a tenth of the start
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    await query.destroy();
    throw error instanceof Error ? error : new Error("the database could not be migrated", { cause: error });
  }
  return {
    query,
    // Synchronous, so no other statement can run in between. A transaction of kysely costs three times the statement.
    async write(...statements) {
      if (statements.length === 1) return runAll(adapted, statements);
      database.exec("BEGIN");
      try {
        runAll(adapted, statements);
        database.exec("COMMIT");
      } catch (error) {
        // On a full disk SQLite has rolled back already, and a second rollback would fail.
        if (database.isTransaction) database.exec("ROLLBACK");
        throw error;
      }
    },
    close: () => query.destroy(),
  };
}

function runAll(database: SqliteDatabase, statements: readonly CompiledQuery[]): void {
  for (const { sql, parameters } of statements) database.prepare(sql).run(parameters);
}

type Parameter = string | number | bigint | null | Uint8Array;

/** The server has few queries with fixed texts. The bound is for a text that is built from data by mistake. */
const maxStatements = 500;

/** Adapts node:sqlite: it takes parameters one by one, and has no flag that distinguishes queries from commands. */
function asKyselyDatabase(database: InstanceType<typeof DatabaseSync>): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare(sql) {
      const known = prepared.get(sql);
      if (known !== undefined) return known;
      const statement = database.prepare(sql);
      const checked = (parameters: readonly unknown[]): Parameter[] => parameters.map(asParameter);
      const adapted: SqliteStatement = {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...checked(parameters)),
        run: (parameters) => statement.run(...checked(parameters)),
        iterate: (parameters) => statement.iterate(...checked(parameters)),
      };
      if (prepared.size < maxStatements) prepared.set(sql, adapted);
      return adapted;
    },
  };
}

/** A number above 2^53 could be written but not read again, so it is clamped. */
function asParameter(value: unknown): Parameter {
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError(`${value} cannot be stored`);
    return Math.max(Number.MIN_SAFE_INTEGER, Math.min(value, Number.MAX_SAFE_INTEGER));
  }
  if (value === null || typeof value === "string" || typeof value === "bigint") return value;
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`a ${typeof value} cannot be stored`);
}
