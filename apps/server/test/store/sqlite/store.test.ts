// The contract of a store, but for its logs. Every implementation runs this suite; today there is one.
import { addUsage } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { costNanos } from "../../../src/costs/prices/rates.ts";
import { usageOf } from "../../../src/projections/ledger-entry.ts";
import type { LedgerEntry } from "../../../src/store/ledger-types.ts";
import type { LoginRecord } from "../../../src/store/people/login-store.ts";
import { append, openStore, record } from "../../support/open-store.ts";

const entry = (session: string, seq: number, change: Partial<LedgerEntry> = {}): LedgerEntry => ({
  session,
  seq,
  time: "2026-01-02T03:04:05.000Z",
  turn: 1,
  person: "",
  cwd: "/tmp",
  branch: "",
  worker: "builtin",
  provider: "p",
  model: "m",
  input: 10,
  output: 1,
  cache_read: 0,
  cache_write: 0,
  thinking: 0,
  cost_nanos: 7_000,
  price: "worker",
  ...change,
});

describe("sessions", () => {
  it("[T1] are kept with all their fields, oldest first, across a restart", async () => {
    await using opened = await openStore();
    const first = record("a", { process: { pid: 5, tag: "t", started: "boot 7" } });
    const second = record("b", { created_at: "2026-01-01T00:00:01.000Z" });
    await opened.store.createSession(second);
    await opened.store.createSession(first);
    await (await opened.store.claim("b")).update({
      name: "renamed",
      seq: 12,
      message_count: 3,
      process: null,
    });
    const store = await opened.reopen();
    expect(await store.listSessions()).toEqual([
      first,
      { ...second, name: "renamed", seq: 12, message_count: 3 },
    ]);
  });

  it("[T2] take log, queue, questions and answers with them, and leave their ledger entries", async () => {
    await using opened = await openStore();
    const { store } = opened;
    await store.createSession(record("a"));
    const log = await (await store.claim("a")).openLog();
    await append(log, "{}");
    await log.close();
    await store.record([entry("a", 1)]);
    await (await store.claim("a")).saveReceipt({
      viewer: "v",
      id: "1",
      response: { type: "response", command: "prompt", success: true },
    });
    await store.deleteSession("a");
    expect(await store.listSessions()).toEqual([]);
    expect(await (await store.claim("a")).loadReceipts(10)).toEqual([]);
    expect((await store.queryLedger({ groupBy: ["session"] }))[0]?.usage.input).toBe(10);
    expect((await (await store.claim("a")).openLog()).seq).toBe(0);
  });
});

it("[X120] a queued prompt keeps its author across a restart", async () => {
  await using opened = await openStore();
  const task = {
    ...{ id: "t", command: "prompt" as const, message: "m", images: 0, queued_at: "2026-11-18T00:00:00Z" },
    ...{ payload: { message: "m" }, viewer: "v", command_id: null, sent_seq: null },
    by: { person: "p1", label: "Ada" },
  };
  await (await opened.store.claim("a")).saveQueue([task], []);
  const again = await opened.reopen();
  expect(await (await again.claim("a")).loadQueue()).toEqual([task]);
});

describe("logins", () => {
  it("[X18] are kept with all their fields, the least recently used first, across a restart", async () => {
    await using opened = await openStore();
    const login = (id: string, used_at: number): LoginRecord => ({
      id,
      cookie_hash: `${id}-cookie`,
      previous_hash: null,
      page_hash: `${id}-page`,
      label: "Firefox on Linux",
      address: "127.0.0.1",
      created_at: 1,
      used_at,
      expires_at: 9_999_999_999_999,
      rotated_at: 1,
      confirmed_at: null,
      person: null,
    });
    const { logins } = opened.store;
    for (const each of [login("a", 3), login("b", 2), login("c", 1)]) await logins.save(each);
    const changed = { ...login("b", 5), previous_hash: "before", confirmed_at: 7 };
    await logins.save(changed);
    await logins.remove(["c", "nobody"]);
    const store = await opened.reopen();
    expect(await store.logins.list()).toEqual([login("a", 3), changed]);
  });
});

describe("ledger", () => {
  it("[T10] an entry recorded twice counts once; sums are exact to the nano-dollar", async () => {
    await using opened = await openStore();
    const { store } = opened;
    await store.record([entry("a", 1), entry("a", 5, { price: "none", cost_nanos: 0 })]);
    await store.record([entry("a", 5), entry("b", 1, { model: "n", cost_nanos: 3_000 })]);
    expect(await store.ledgerPosition("a")).toBe(5);
    expect(await store.ledgerPosition("nobody")).toBe(0);
    for (const range of [{}, { from: "2026-01-02T03:04:05.000Z" }]) {
      expect(await store.queryLedger({ groupBy: [], ...range })).toEqual([
        {
          keys: {},
          usage: {
            calls: 3,
            input: 30,
            output: 3,
            cache_read: 0,
            cache_write: 0,
            thinking: 0,
            cost_usd: 0.00001,
            unpriced: 1,
          },
        },
      ]);
    }
    const models = await store.queryLedger({ groupBy: ["model", "day"] });
    expect(models.map((row) => row.keys)).toEqual([
      { model: "m", day: "2026-01-02" },
      { model: "n", day: "2026-01-02" },
    ]);
    expect(await store.queryLedger({ groupBy: ["model"], to: "2026-01-02T03:04:05.000Z" })).toEqual([]);
  });

  it("[T20] sums that exceed what a number can hold exactly stay numbers, and the store opens again", async () => {
    await using opened = await openStore();
    const most = { input: 1e9, output: 1e9, cost_nanos: 1e14 };
    const entries = Array.from({ length: 1_000 }, (_, index) => entry("a", index + 1, most));
    await opened.store.record(entries);
    // As if a million more had come: what is there is at its limit.
    for (let round = 0; round < 3; round++) {
      const seq = 2_000 + round;
      await opened.store.record([entry("a", seq, { ...most, cost_nanos: Number.MAX_SAFE_INTEGER })]);
    }
    const store = await opened.reopen();
    for (const groupBy of [["session"], ["day"], ["model"], []] as const) {
      const [row] = await store.queryLedger({ groupBy });
      expect(row?.usage.cost_usd).toBeGreaterThanOrEqual(Number.MAX_SAFE_INTEGER / 1e9);
      expect(row?.usage.input).toBe(1_003e9);
    }
    expect((await store.expensiveTurns({}, 1))[0]?.usage.cost_usd).toBe(Number.MAX_SAFE_INTEGER / 1e9);
    expect((await store.expensiveSessions({}, 1))[0]?.session).toBe("a");
  });

  it("[U70] 200 calls of one token at $0.15 per million are 30 micro-dollars", async () => {
    await using opened = await openStore();
    const one = { input: 1, output: 0, cache_read: 0, cache_write: 0 };
    const cost_nanos = costNanos({ input: 0.15, output: 0.6 }, one, 0);
    const calls = Array.from({ length: 200 }, (_, index) => entry("a", index + 1, { ...one, cost_nanos }));
    await opened.store.record(calls);
    for (const groupBy of [["session"], ["day"], ["model"], ["model", "cwd"], []] as const)
      expect((await opened.store.queryLedger({ groupBy }))[0]?.usage.cost_usd).toBe(0.000_03);
    expect(calls.map(usageOf).reduce(addUsage).cost_usd).toBe(0.000_03);
  });

  // It took minutes: such a test would run out of time.
  it("[T21] a range of all time in a time zone is as wide as the ledger", async () => {
    await using opened = await openStore();
    await opened.store.record([
      entry("a", 1, { time: "2026-03-29T00:30:00Z" }),
      entry("a", 2, { time: "2026-10-25T23:30:00Z" }),
    ]);
    const rows = await opened.store.queryLedger({
      ...{ from: "-271821-04-20T00:00:00.000Z", to: "+275760-09-13T00:00:00.000Z" },
      ...{ groupBy: ["day"], timeZone: "Europe/Berlin" },
    });
    expect(rows.map(({ keys }) => keys.day)).toEqual(["2026-03-29", "2026-10-26"]);
  });

  it("[T12] days are those of the asker's time zone, also when its clocks change", async () => {
    await using opened = await openStore();
    const { store } = opened;
    // Berlin: 2026-03-29 has 23 hours, from 23:00Z the day before to 22:00Z.
    const times = [
      "2026-03-28T22:59:59Z",
      "2026-03-28T23:00:00Z",
      "2026-03-29T21:59:59Z",
      "2026-03-29T22:00:00Z",
    ];
    await store.record(times.map((time, index) => entry("a", index + 1, { time, cost_nanos: 10 ** index })));
    const days = await store.queryLedger({ groupBy: ["day"], timeZone: "Europe/Berlin" });
    expect(days.map(({ keys, usage }) => [keys.day, Math.round(usage.cost_usd * 1e9)])).toEqual([
      ["2026-03-28", 1],
      ["2026-03-29", 110],
      ["2026-03-30", 1000],
    ]);
    const hours = await store.queryLedger({
      groupBy: ["hour"],
      timeZone: "Asia/Kathmandu", // 5:45 ahead
      from: "2026-03-28T22:15:00Z",
      to: "2026-03-28T23:15:00Z",
    });
    expect(hours.map(({ keys }) => keys.hour)).toEqual(["2026-03-29T04:00"]);
  });

  it("[T13] sums of quarters equal sums of entries, whatever is asked", async () => {
    await using opened = await openStore();
    const { store } = opened;
    const start = Date.parse("2026-05-01T00:00:00Z");
    const entries = Array.from({ length: 500 }, (_, index) =>
      entry(`s${index % 7}`, index + 1, {
        time: new Date(start + index * 421_337).toISOString(),
        turn: Math.floor(index / 20),
        model: `m${index % 3}`,
        cwd: `/p${index % 5}`,
        cost_nanos: (index * 7919) % 1000,
        price: index % 11 === 0 ? "none" : "worker",
      }),
    );
    await store.record(entries.slice(0, 300));
    await store.record(entries.slice(200)); // a hundred of them again
    const reopened = await opened.reopen();
    await reopened.record(entries.slice(400)); // and some after a restart
    const from = "2026-05-01T06:00:00.000Z";
    const to = "2026-05-02T12:15:00.000Z";
    const nearly = { from: "2026-05-01T05:59:59.999Z", to: "2026-05-02T12:14:59.999Z" }; // no entry in between
    for (const groupBy of [[], ["model"], ["day", "cwd"], ["hour", "model", "cwd"]] as const) {
      const coarse = await reopened.queryLedger({ groupBy, from, to });
      expect(coarse).toEqual(await reopened.queryLedger({ groupBy, ...nearly }));
    }
    const wanted = entries.filter(({ time, model }) => time >= from && time < to && model === "m1");
    const [only] = await reopened.queryLedger({ groupBy: [], from, to, where: { model: "m1" } });
    expect(only?.usage.calls).toBe(wanted.length);
    expect(Math.round((only?.usage.cost_usd ?? 0) * 1e9)).toBe(
      wanted.reduce((sum, { cost_nanos }) => sum + cost_nanos, 0),
    );
  });

  it("[T14] the most expensive turns come first, with where and when they were", async () => {
    await using opened = await openStore();
    const { store } = opened;
    await store.record([
      entry("a", 2, { turn: 1, cost_nanos: 5_000 }),
      entry("a", 4, { turn: 1, cost_nanos: 5_000, time: "2026-01-02T03:09:00.000Z", model: "later" }),
      entry("a", 7, { turn: 6, cost_nanos: 9_000 }),
      entry("b", 3, { turn: 1, cost_nanos: 30_000, time: "2026-01-05T00:00:00.000Z" }),
    ]);
    const turns = await store.expensiveTurns({ to: "2026-01-05T00:00:00.000Z" }, 10);
    expect(turns.map(({ session, turn, usage }) => [session, turn, usage.cost_usd])).toEqual([
      ["a", 1, 0.00001],
      ["a", 6, 0.000009],
    ]);
    expect(turns[0]).toMatchObject({
      started: "2026-01-02T03:04:05.000Z",
      ended: "2026-01-02T03:09:00.000Z",
      keys: { model: "later", cwd: "/tmp" },
      usage: { calls: 2 },
    });
    expect((await store.expensiveTurns({ where: { session: "b" } }, 1))[0]?.session).toBe("b");
  });
});

const answer = (id: string) => ({
  viewer: "v",
  id,
  response: { type: "response" as const, command: "prompt", success: true, id },
});

describe("queue, questions, answers", () => {
  it("[T11] come back as they were saved", async () => {
    await using opened = await openStore();
    const task = {
      id: "t",
      command: "prompt" as const,
      message: "hi",
      images: 0,
      queued_at: "q",
      payload: { message: "hi" },
      viewer: "v",
      command_id: "1",
      sent_seq: null,
    };
    await (await opened.store.claim("a")).saveQueue([task, { ...task, id: "u", sent_seq: 4 }], []);
    const question = { type: "extension_ui_request" as const, id: "q", method: "confirm", asked_at: "now" };
    await (await opened.store.claim("a")).saveQuestions([question]);
    for (const id of ["1", "2", "3"]) {
      await (await opened.store.claim("a")).saveReceipt(answer(id));
    }
    const store = await opened.reopen();
    expect(await (await store.claim("a")).loadQueue()).toEqual([task, { ...task, id: "u", sent_seq: 4 }]);
    expect(await (await store.claim("a")).loadQuestions()).toEqual([question]);
    expect((await (await store.claim("a")).loadReceipts(2)).map((answer) => answer.id).sort()).toHaveLength(
      2,
    );
    await (await store.claim("a")).saveTask({ ...task, id: "u", sent_seq: 9 });
    expect(await (await store.claim("a")).loadQueue()).toEqual([{ ...task, id: "u", sent_seq: 9 }, task]);
    await (await store.claim("a")).saveQueue([], [answer("4")]);
    expect(await (await store.claim("a")).loadQueue()).toEqual([]);
    expect((await (await store.claim("a")).loadReceipts(1)).map(({ id }) => id)).toEqual(["4"]);
  });
});
