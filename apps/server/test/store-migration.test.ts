// A home of an older version: what it spent is still there, and summed up.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { Kysely, Migrator, SqliteDialect } from "kysely";
import { expect, it } from "vitest";
import { DurableStore } from "../src/store/durable-store.ts";
import { migrations } from "../src/store/migrations.ts";
import { record } from "./open-store.ts";

it("[T15] an older ledger is summed up when it is opened", async () => {
  const home = mkdtempSync(join(tmpdir(), "patchbay-old-home-"));
  mkdirSync(home, { recursive: true });
  await makeOldLedger(join(home, "patchbay.db"));
  const store = await DurableStore.open({ home, segmentBytes: 1_000, onTrouble: () => {} });
  try {
    const days = await store.queryLedger({ groupBy: ["day", "model"] });
    expect(days.map(({ keys, usage }) => [keys.day, keys.model, usage.calls, usage.cost_usd])).toEqual([
      ["1970-01-01", "m", 2, 0.000012],
      ["1970-01-02", "n", 1, 0.000007],
    ]);
    expect((await store.expensiveTurns({}, 5)).map(({ session, usage }) => [session, usage.calls])).toEqual([
      ["a", 2],
      ["b", 1],
    ]);
    expect(await store.ledgerPosition("a")).toBe(2);
  } finally {
    await store.close();
    rmSync(home, { recursive: true, force: true });
  }
});

it("[L71] an older search is read again, because it did not know answers that no message settled", async () => {
  const home = mkdtempSync(join(tmpdir(), "patchbay-old-home-"));
  const open = () => DurableStore.open({ home, segmentBytes: 1_000, onTrouble: () => {} });
  const news = {
    session: "a",
    said: [{ seq: 1, part: 0, kind: "answer", branch: "main", time: "2026-01-01T00:00:00Z", text: "apple" }],
    upTo: 3,
  } as const;
  const query = { terms: [{ text: "apple", phrase: false }], limit: 5 };
  const old = await open();
  await old.createSession(record("a", { seq: 3 }));
  await old.index([news]);
  expect(await old.unindexed()).toEqual([]);
  await old.close();
  const database = new DatabaseSync(join(home, "patchbay.db"));
  database.exec("delete from kysely_migration where name = '008_search_again'");
  database.close();
  const store = await open();
  try {
    expect(await store.search(query)).toEqual([]);
    expect(await store.unindexed()).toEqual(["a"]);
    await store.index([news]);
    expect(await store.search(query)).toHaveLength(1);
  } finally {
    await store.close();
    rmSync(home, { recursive: true, force: true });
  }
});

/** As the first version left it. */
async function makeOldLedger(path: string): Promise<void> {
  const database = new DatabaseSync(path);
  const db = new Kysely<unknown>({
    dialect: new SqliteDialect({
      database: {
        close: () => database.close(),
        prepare(sql) {
          const statement = database.prepare(sql);
          return {
            reader: statement.columns().length > 0,
            all: (parameters) => statement.all(...(parameters as string[])),
            run: (parameters) => statement.run(...(parameters as string[])),
            iterate: (parameters) => statement.iterate(...(parameters as string[])),
          };
        },
      },
    }),
  });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations({ isNew: true }) } });
  const { error } = await migrator.migrateTo("001_first");
  if (error !== undefined) throw error;
  const insert = database.prepare(
    "insert into ledger (session, seq, time, day, worker, provider, model, cwd, input, output, cache_read, cache_write, cost_micros, unpriced) values (?, ?, ?, ?, 'w', 'p', ?, '/c', 1, 1, 0, 0, ?, 0)",
  );
  insert.run("a", 1, 60_000, "1970-01-01", "m", 5);
  insert.run("a", 2, 70_000, "1970-01-01", "m", 7);
  insert.run("b", 1, 86_400_000, "1970-01-02", "n", 7);
  await db.destroy();
}
