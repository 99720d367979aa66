// A home of an older version: what it spent is still there, and summed up.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { Kysely, Migrator, SqliteDialect } from "kysely";
import { expect, it } from "vitest";
import type { LedgerEntry } from "../../../src/store/ledger-types.ts";
import { migrations } from "../../../src/store/sqlite/database/migrations.ts";
import { SqliteStore } from "../../../src/store/sqlite/sqlite-store.ts";
import { record } from "../../support/open-store.ts";

it("[T15] an older ledger is summed up when it is opened", async () => {
  const home = mkdtempSync(join(tmpdir(), "patchbay-old-home-"));
  mkdirSync(home, { recursive: true });
  await makeOldLedger(join(home, "patchbay.db"));
  const store = await SqliteStore.open({ home, segmentBytes: 1_000, onWriteError: () => {} });
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

it("[X209] a home from before there were accounts opens, and keeps what is added", async () => {
  const home = mkdtempSync(join(tmpdir(), "patchbay-old-home-"));
  const open = () => SqliteStore.open({ home, segmentBytes: 1_000, onWriteError: () => {} });
  await (await open()).close();
  const database = new DatabaseSync(join(home, "patchbay.db"));
  database.exec("drop table credentials; delete from kysely_migration where name = '035_credentials'");
  database.close();
  const password = {
    id: "a",
    person: "p",
    kind: "password",
    data: "{}",
    created_at: 1,
    used_at: null,
  } as const;
  const upgraded = await open();
  expect(await upgraded.credentials.list()).toEqual([]);
  await upgraded.credentials.change({ remove: [], save: [password, { ...password, id: "b" }] });
  await upgraded.credentials.change({ remove: ["a"], save: [{ ...password, id: "b", used_at: 2 }] });
  await upgraded.close();
  const again = await open();
  try {
    expect(await again.credentials.list()).toEqual([{ ...password, id: "b", used_at: 2 }]);
  } finally {
    await again.close();
    rmSync(home, { recursive: true, force: true });
  }
});

it("[L71] an older search is read again, because it did not know answers that no message settled", async () => {
  const home = mkdtempSync(join(tmpdir(), "patchbay-old-home-"));
  const open = () => SqliteStore.open({ home, segmentBytes: 1_000, onWriteError: () => {} });
  const news = {
    session: "a",
    texts: [{ seq: 1, part: 0, kind: "answer", branch: "main", time: "2026-01-01T00:00:00Z", text: "apple" }],
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

it("[T20] a home that impossible figures made unusable opens again: such calls are unknown, and the rest is summed up", async () => {
  const home = mkdtempSync(join(tmpdir(), "patchbay-old-home-"));
  const open = () => SqliteStore.open({ home, segmentBytes: 1_000, onWriteError: () => {} });
  const old = await open();
  await old.createSession(record("a"));
  await old.record([call("a", 1, 5e6), call("a", 2, 7e6), call("a", 3, 9e6)]);
  await old.close();
  const database = new DatabaseSync(join(home, "patchbay.db"));
  backToMicros(database);
  database.exec(`
    delete from kysely_migration where name = '013_ledger_range';
    update ledger set input = 9007199254740991 where seq = 1;
    update ledger set cost_micros = 9000000000000000 where seq = 2;
    update spend set input = 9223372036854775807, cost_micros = 9223372036854775807;
    update spend_by set input = 9223372036854775807, cost_micros = 9223372036854775807;
    update turn_spend set input = 9223372036854775807, cost_micros = 9223372036854775807;`);
  database.close();
  const store = await open();
  try {
    for (const groupBy of [["session"], ["model"], []] as const) {
      const [row] = await store.queryLedger({ groupBy });
      expect(row?.usage).toMatchObject({ calls: 3, input: 10, cost_usd: 0.009, unpriced: 2 });
    }
    expect((await store.expensiveTurns({}, 5))[0]?.usage.cost_usd).toBe(0.009);
  } finally {
    await store.close();
    rmSync(home, { recursive: true, force: true });
  }
});

it("[U300] simulated costs of the demo that an earlier version recorded are in no sum any more", async () => {
  const home = mkdtempSync(join(tmpdir(), "patchbay-old-home-"));
  const open = () => SqliteStore.open({ home, segmentBytes: 1_000, onWriteError: () => {} });
  const demo = { provider: "demo", model: "offline-demo" };
  const old = await open();
  await old.createSession(record("a"));
  // One turn has calls of both models, in the same quarter of an hour.
  await old.record([call("a", 1, 5e6), { ...call("a", 2, 7e6), ...demo }, { ...call("a", 3, 9e6), ...demo }]);
  await old.close();
  const database = new DatabaseSync(join(home, "patchbay.db"));
  backToMicros(database);
  database.exec("delete from kysely_migration where name = '019_demo_is_free'");
  database.close();
  const store = await open();
  try {
    for (const query of [
      {},
      { to: "2026-01-02T00:00:00Z" },
      { where: { worker: "w" } },
      { where: { session: "a" } },
    ])
      for (const groupBy of [["session"], ["day"], ["worker"], []] as const)
        expect((await store.queryLedger({ ...query, groupBy }))[0]?.usage).toMatchObject({
          calls: 3,
          cost_usd: 0.005,
        });
    const models = await store.queryLedger({ groupBy: ["model"] });
    expect(models.map(({ keys, usage }) => [keys.model, usage.calls, usage.cost_usd])).toEqual([
      ["m", 1, 0.005],
      ["offline-demo", 2, 0],
    ]);
    expect((await store.expensiveTurns({}, 5))[0]?.usage.cost_usd).toBe(0.005);
  } finally {
    await store.close();
    rmSync(home, { recursive: true, force: true });
  }
});

it("[U50] a ledger of an earlier version has exact and unknown costs, and takes estimates", async () => {
  const home = mkdtempSync(join(tmpdir(), "patchbay-old-home-"));
  await makeOldLedger(join(home, "patchbay.db"));
  const database = new DatabaseSync(join(home, "patchbay.db"));
  database.exec("update ledger set cost_micros = 0, unpriced = 1 where session = 'b'");
  database.close();
  const store = await SqliteStore.open({ home, segmentBytes: 1_000, onWriteError: () => {} });
  try {
    const cut: LedgerEntry = {
      ...call("a", 3, 100_000),
      certainty: "estimated",
      low_nanos: 40_000,
      high_nanos: 900_000,
    };
    await store.record([cut]);
    const sums = { cost_usd: 0.000112, unpriced: 1, estimated: 1, low_usd: 0.000052, high_usd: 0.000912 };
    // From the sums, from the entries, and from the turns.
    for (const query of [{}, { from: "1970-01-01T00:00:01Z" }])
      expect((await store.queryLedger({ ...query, groupBy: [] }))[0]?.usage).toMatchObject(sums);
    expect((await store.queryLedger({ groupBy: ["session"] })).map(({ usage }) => usage.estimated)).toEqual([
      1,
      undefined,
    ]);
    const [turn] = await store.expensiveTurns({ where: { session: "a" } }, 1);
    expect(turn?.usage).toMatchObject({ estimated: 1, low_usd: 0.00004, high_usd: 0.0009 });
  } finally {
    await store.close();
    rmSync(home, { recursive: true, force: true });
  }
});

it("[Y61] files that an earlier version imported are read again once, from their beginning", async () => {
  const home = mkdtempSync(join(tmpdir(), "patchbay-old-home-"));
  const open = () => SqliteStore.open({ home, segmentBytes: 1_000, onWriteError: () => {} });
  const position = { bytes: 70, tail: "t", state: "{}" };
  const old = await open();
  await old.saveReadFile("/file.jsonl", position);
  await old.close();
  const database = new DatabaseSync(join(home, "patchbay.db"));
  database.exec("delete from kysely_migration where name = '023_import_again'");
  database.close();
  const store = await open();
  try {
    expect(await store.readFile("/file.jsonl")).toBeUndefined();
    await store.saveReadFile("/file.jsonl", position);
  } finally {
    await store.close();
  }
  const again = await open();
  try {
    expect(await again.readFile("/file.jsonl")).toEqual(position);
  } finally {
    await again.close();
    rmSync(home, { recursive: true, force: true });
  }
});

it("[L97] [P202] where a worktree belongs is kept, and the last words of the search are listed; an earlier version's session has none on record, and is there", async () => {
  const home = mkdtempSync(join(tmpdir(), "patchbay-old-home-"));
  mkdirSync(home, { recursive: true });
  const path = join(home, "patchbay.db");
  await makeDatabase(path, "009_session_project", (database) => {
    database.exec(
      "insert into sessions (id, name, worker, dialect, cwd, provider, model, created_at, updated_at, seq, message_count, project) values ('old', 'old', 'w', 'zot', '/w/old', '', '', 0, 0, 0, 0, '/project')",
    );
    database.exec(
      "insert into said (session, seq, part, kind, branch, time, text) values ('old', 1, 0, 'prompt', 'main', 0, 'Why?'), ('old', 2, 0, 'answer', 'main', 0, 'Because.' || char(10) || 'Yes.'), ('old', 3, 0, 'output', 'main', 0, 'noise')",
    );
  });
  const open = () => SqliteStore.open({ home, segmentBytes: 1_000, onWriteError: () => {} });
  const worktree = { path: "/w/new", repository: "/p/.git", name: "new", branch: "patchbay/new", prefix: "" };
  try {
    const store = await open();
    await store.createSession(record("new", { worktree }));
    await store.createSession(record("broken", { worktree }));
    await store.close();
    const database = new DatabaseSync(path);
    database.exec("update sessions set worktree = '{' where id = 'broken'");
    database.close();
    const again = await open();
    const known = new Map((await again.listSessions()).map((session) => [session.id, session]));
    await again.close();
    expect([...known.keys()].sort()).toEqual(["broken", "new", "old"]);
    expect(known.get("old")).toMatchObject({
      project: "/project",
      summary: { last_line: "Because. Yes." },
    });
    expect(known.get("new")).not.toHaveProperty("summary");
    expect(["old", "new", "broken"].map((id) => known.get(id)?.worktree)).toEqual([
      undefined,
      worktree,
      undefined,
    ]);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

const oldTerms = {
  ...{ name: "n", scope: "everything", target: null, period: "day", time_zone: "UTC", limit_usd: 1 },
  ...{ kind: "hard", warn_percent: 80 },
};

it("[U70] costs in micro-dollars become nano-dollars, in entries, sums and repricings; sums at the limit stay there", async () => {
  const home = mkdtempSync(join(tmpdir(), "patchbay-old-home-"));
  await makeDatabase(join(home, "patchbay.db"), "020_hour_writes", (database) => {
    const names = "person, cwd, branch, worker, provider, model";
    const figures = "calls, input, output, cache_read, cache_write, thinking, cost_micros, unpriced";
    const most = Number.MAX_SAFE_INTEGER;
    database.exec(`
      insert into ledger (session, seq, time, day, worker, provider, model, cwd, input, output, cache_read, cache_write, cost_micros, unpriced)
        values ('a', 1, 0, '1970-01-01', 'w', 'p', 'm', '/c', 1, 1, 0, 0, 5, 0);
      insert into spend (quarter, ${names}, ${figures}) values (0, '', '/c', '', 'w', 'p', 'm', 1, 1, 1, 0, 0, 0, 5, 0);
      insert into spend_by (dimension, quarter, name, ${figures}) values ('worker', 0, 'w', 1, 1, 1, 0, 0, 0, 5, 0), ('model', 0, 'm', 1, 1, 1, 0, 0, 0, 5, 0);
      insert into turn_spend (session, turn, started, ended, ${names}, ${figures})
        values ('a', 1, 0, 0, '', '/c', '', 'w', 'p', 'm', 1, 1, 1, 0, 0, 0, ${most}, 0);
      insert into repricings values ('r', 0, 'me', '', '{}', 'v', 1, 4, 5, 0, 0, 1);
      insert into repriced values ('r', 'a', 1, 4, 'worker', 5, 'worker');
      insert into budgets (id, terms, created_at, created_by) values ('b', '${JSON.stringify(oldTerms)}', 0, ''), ('torn', '{', 0, '');`);
  });
  const store = await SqliteStore.open({ home, segmentBytes: 1_000, onWriteError: () => {} });
  try {
    for (const query of [
      { groupBy: [] },
      { groupBy: ["model"] },
      { groupBy: [], from: "1970-01-01T00:00:00Z" },
    ] as const)
      expect((await store.queryLedger(query))[0]?.usage.cost_usd).toBe(0.000_005);
    expect((await store.expensiveTurns({}, 1))[0]?.usage.cost_usd).toBeCloseTo(9_007_199.25, 1);
    expect(await store.listRepricings(1)).toMatchObject([{ before_nanos: 4_000, after_nanos: 5_000 }]);
    // [U73] What a budget of an earlier version let run goes on.
    expect(await store.budgets.list()).toMatchObject([
      { id: "b", terms: { ...oldTerms, unpriced: "allow" } },
    ]);
    await store.record([call("a", 2, 150)]);
    expect((await store.queryLedger({ groupBy: ["session"] }))[0]?.usage.cost_usd).toBeCloseTo(
      9_007_199.25,
      1,
    );
  } finally {
    await store.close();
    rmSync(home, { recursive: true, force: true });
  }
});

const call = (session: string, seq: number, cost_nanos: number): LedgerEntry => ({
  ...{ session, seq, time: "2026-01-01T00:00:00Z", turn: 1, person: "", cwd: "/", branch: "", worker: "w" },
  ...{ provider: "p", model: "m", input: 10, output: 1, cache_read: 0, cache_write: 0, thinking: 0 },
  ...{ cost_nanos, price: "worker" },
});

/** As versions left it that counted in micro-dollars. */
function backToMicros(database: InstanceType<typeof DatabaseSync>): void {
  const columns = ["cost", "low", "high"].map((name) => ["ledger", name]);
  for (const table of ["spend", "spend_by", "turn_spend"])
    columns.push([table, "cost"], [table, "below"], [table, "above"]);
  for (const table of ["repricings", "repriced"]) columns.push([table, "before"], [table, "after"]);
  for (const [table, name] of columns)
    database.exec(`alter table ${table} rename column ${name}_nanos to ${name}_micros;
      update ${table} set ${name}_micros = ${name}_micros / 1000`);
  database.exec("delete from kysely_migration where name = '024_nano_dollars'");
}

/** As the first version left it. */
function makeOldLedger(path: string): Promise<void> {
  return makeDatabase(path, "001_first", (database) => {
    const insert = database.prepare(
      "insert into ledger (session, seq, time, day, worker, provider, model, cwd, input, output, cache_read, cache_write, cost_micros, unpriced) values (?, ?, ?, ?, 'w', 'p', ?, '/c', 1, 1, 0, 0, ?, 0)",
    );
    insert.run("a", 1, 60_000, "1970-01-01", "m", 5);
    insert.run("a", 2, 70_000, "1970-01-01", "m", 7);
    insert.run("b", 1, 86_400_000, "1970-01-02", "n", 7);
  });
}

/** As a version left it whose newest migration this was. */
async function makeDatabase(
  path: string,
  version: string,
  fill: (database: InstanceType<typeof DatabaseSync>) => void,
): Promise<void> {
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
  const { error } = await migrator.migrateTo(version);
  if (error !== undefined) throw error;
  fill(database);
  await db.destroy();
}

it("[Q240] a home of an earlier version gets the table of permissions; what cannot be read allows nothing", async () => {
  const home = mkdtempSync(join(tmpdir(), "patchbay-old-home-"));
  const unreadable: string[] = [];
  const open = () =>
    SqliteStore.open({
      home,
      segmentBytes: 1_000,
      onWriteError: () => {},
      onUnreadable: ({ table }) => unreadable.push(table),
    });
  await (await open()).close();
  const database = new DatabaseSync(join(home, "patchbay.db"));
  database.exec("drop table permissions; delete from kysely_migration where name = '017_permissions'");
  database.close();
  const permission = (id: string, session: string | null) => ({
    ...({
      id,
      what: "tool",
      where: session === null ? "directory" : "session",
      agent: "builtin",
      tool: "bash",
    } as const),
    ...{ session, directory: "/x", created_at: "2026-05-01T00:00:00.000Z", created_by: { label: "a test" } },
  });
  const store = await open();
  try {
    await store.createSession(record("s"));
    await store.permissions.save(permission("a", "s"));
    await store.permissions.save(permission("b", null));
    expect(await store.permissions.list()).toEqual([permission("a", "s"), permission("b", null)]);
    await store.deleteSession("s");
    expect(await store.permissions.list()).toEqual([permission("b", null)]);
    await store.permissions.remove("b");
    const direct = new DatabaseSync(join(home, "patchbay.db"));
    direct.exec(`insert into permissions values ('c', null, 1, '{"what":"all"}')`);
    direct.close();
    expect(await store.permissions.list()).toEqual([]);
    expect(unreadable).toEqual(["permissions"]);
  } finally {
    await store.close();
    rmSync(home, { recursive: true, force: true });
  }
});

it("[U95] a home of an earlier version gets the table of announcements, which keeps one for each period with its deliveries", async () => {
  const home = mkdtempSync(join(tmpdir(), "patchbay-old-home-"));
  const open = () => SqliteStore.open({ home, segmentBytes: 1_000, onWriteError: () => {} });
  await (await open()).close();
  const database = new DatabaseSync(join(home, "patchbay.db"));
  database.exec("drop table announcements; delete from kysely_migration where name = '027_announcements'");
  database.close();
  const announcement = (id: string, time: string) => ({
    ...{ id, time, kind: "spike", subject: "project", target: "/x", data: "{}", dismissed: false },
    period: `${time.slice(0, 10)}T00:00:00.000Z`,
  });
  const delivery = (id: string) => ({
    ...{ id, url: "https://example.org/", event: "cost.alert", body: "{}", attempts: 0, next_at: 1 },
  });
  const store = await open();
  try {
    const [first, other] = ["2026-05-01T10:00:00.000Z", "2026-05-02T10:00:00.000Z"];
    expect(await store.announcements.add(announcement("a", first), [delivery("d1")])).toBe(true);
    expect(await store.announcements.add(announcement("b", first), [delivery("d2")])).toBe(false);
    expect(await store.announcements.add(announcement("c", other), [])).toBe(true);
    expect(await store.deliveries()).toEqual([delivery("d1")]);
    expect(await store.announcements.dismiss("a")).toBe(true);
    expect(await store.announcements.dismiss("b")).toBe(false);
    expect(await store.announcements.list({ kinds: ["spike"], since: 0, limit: 5 })).toEqual([
      announcement("c", other),
      { ...announcement("a", first), dismissed: true },
    ]);
    // What is more than a year old goes.
    expect(await store.announcements.add(announcement("d", "2027-08-01T10:00:00.000Z"), [])).toBe(true);
    expect(await store.announcements.list({ kinds: ["spike"], since: 0, limit: 5 })).toHaveLength(1);
  } finally {
    await store.close();
    rmSync(home, { recursive: true, force: true });
  }
});

it("[H61] a home of an earlier version gets the table of keys, which outlive their sessions for 90 days", async () => {
  const home = mkdtempSync(join(tmpdir(), "patchbay-old-home-"));
  const open = () => SqliteStore.open({ home, segmentBytes: 1_000, onWriteError: () => {} });
  const change = (statement: string): void => {
    const database = new DatabaseSync(join(home, "patchbay.db"));
    database.exec(statement);
    database.close();
  };
  await (await open()).close();
  change("drop table session_keys; delete from kysely_migration where name = '033_session_keys'");
  const key = (name: string) => ({ sender: "http:token", key: name });
  const old = await open();
  try {
    await old.createSession(record("kept"), key("a"));
    await old.createSession(record("gone"), key("b"));
    await old.deleteSession("gone");
    expect(await old.sessionOfKey(key("b"))).toBe("gone");
    expect(await old.sessionOfKey({ ...key("b"), sender: "http:other" })).toBeNull();
    await expect(old.createSession(record("twice"), key("a"))).rejects.toThrow();
    expect((await old.listSessions()).map(({ id }) => id)).toEqual(["kept"]);
  } finally {
    await old.close();
  }
  change(`update session_keys set time = time - ${91 * 24 * 60 * 60_000}`);
  const store = await open();
  try {
    await store.createSession(record("new"), key("c"));
    expect(await store.sessionOfKey(key("a"))).toBe("kept");
    expect(await store.sessionOfKey(key("b"))).toBeNull();
    await store.forgetKeyOf("new");
    expect(await store.sessionOfKey(key("c"))).toBeNull();
  } finally {
    await store.close();
    rmSync(home, { recursive: true, force: true });
  }
});
