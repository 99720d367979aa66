// The embedded database: opened, migrated, and spoken to through one query builder, so that the same
// queries can run on another database. What only SQLite understands stays in this file.
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
  /** Reads, and builds what is to be written. */
  readonly query: Kysely<Tables>;
  /** All of it or nothing, in this order. */
  write(...statements: readonly CompiledQuery[]): Promise<void>;
  close(): Promise<void>;
}

export async function openDatabase(path: string): Promise<Database> {
  const database = new DatabaseSync(path);
  // WAL with NORMAL: a commit survives the death of the process; a power cut may take the newest ones. The
  // WAL is written back only when it is large (40 MB): that waits for the disk, and everybody waits with it.
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
  // They are independent of each other and were not released in the order of their numbers.
  const provider = { getMigrations: async () => migrations({ isNew }) };
  const migrator = new Migrator({
    db: query,
    provider,
    allowUnorderedMigrations: true,
    nameComparator: (a, b) => (a < b ? -1 : 1), // its own loads the rules of a language: a tenth of the start
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    await query.destroy();
    throw error instanceof Error ? error : new Error("the database could not be migrated", { cause: error });
  }
  return {
    query,
    // Nothing here waits, so nothing can come between; kysely's own way costs three times the statement.
    async write(...statements) {
      if (statements.length === 1) return runAll(adapted, statements);
      database.exec("BEGIN");
      try {
        runAll(adapted, statements);
        database.exec("COMMIT");
      } catch (error) {
        // On a full disk SQLite has rolled back by itself, and refuses to do it again.
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

/** Queries here are few and their texts fixed; a text made of data would end up here only by mistake. */
const maxStatements = 500;

/** node:sqlite takes parameters one by one, and has no flag that tells queries from commands. */
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

/** A whole number beyond 2^53 could be written and never be read again: it becomes the largest that can. */
function asParameter(value: unknown): Parameter {
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError(`${value} cannot be stored`);
    return Math.max(Number.MIN_SAFE_INTEGER, Math.min(value, Number.MAX_SAFE_INTEGER));
  }
  if (value === null || typeof value === "string" || typeof value === "bigint") return value;
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`a ${typeof value} cannot be stored`);
}
