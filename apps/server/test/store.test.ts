// The contract of a store, but for its logs. Every implementation runs this suite; today there is one.
import { describe, expect, it } from "vitest";
import type { LedgerEntry, SessionRecord } from "../src/store/store.ts";
import { append, openStore } from "./open-store.ts";

const record = (id: string, change: Partial<SessionRecord> = {}): SessionRecord => ({
  id,
  name: id,
  worker: "builtin",
  dialect: "zot",
  cwd: "/tmp",
  provider: "p",
  model: "m",
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
  seq: 0,
  message_count: 0,
  process: null,
  ...change,
});

const entry = (session: string, seq: number, change: Partial<LedgerEntry> = {}): LedgerEntry => ({
  session,
  seq,
  time: "2026-01-02T03:04:05.000Z",
  worker: "builtin",
  provider: "p",
  model: "m",
  cwd: "/tmp",
  input: 10,
  output: 1,
  cache_read: 0,
  cache_write: 0,
  cost_micros: 7,
  priced: true,
  ...change,
});

describe("sessions", () => {
  it("[T1] are kept with all their fields, oldest first, across a restart", async () => {
    await using opened = await openStore();
    const first = record("a", { process: { pid: 5, tag: "t", started: "boot 7" } });
    const second = record("b", { created_at: "2026-01-01T00:00:01.000Z" });
    await opened.store.createSession(second);
    await opened.store.createSession(first);
    await opened.store.updateSession("b", { name: "renamed", seq: 12, message_count: 3, process: null });
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
    const log = await store.openLog("a");
    await append(log, "{}");
    await log.close();
    await store.record([entry("a", 1)]);
    await store.saveAnswer("a", {
      viewer: "v",
      id: "1",
      response: { type: "response", command: "prompt", success: true },
    });
    await store.deleteSession("a");
    expect(await store.listSessions()).toEqual([]);
    expect(await store.loadAnswers("a", 10)).toEqual([]);
    expect((await store.queryLedger({ groupBy: ["session"] }))[0]?.usage.input).toBe(10);
    expect((await store.openLog("a")).seq).toBe(0);
  });
});

describe("ledger", () => {
  it("[T10] an entry recorded twice counts once; sums are exact to the micro-dollar", async () => {
    await using opened = await openStore();
    const { store } = opened;
    await store.record([entry("a", 1), entry("a", 5, { priced: false, cost_micros: 0 })]);
    await store.record([entry("a", 5), entry("b", 1, { model: "n", cost_micros: 3 })]);
    expect(await store.ledgerPosition("a")).toBe(5);
    expect(await store.ledgerPosition("nobody")).toBe(0);
    expect(await store.queryLedger({ groupBy: [] })).toEqual([
      {
        keys: {},
        usage: { input: 30, output: 3, cache_read: 0, cache_write: 0, cost_usd: 0.00001, unpriced: 1 },
      },
    ]);
    const models = await store.queryLedger({ groupBy: ["model", "day"] });
    expect(models.map((row) => row.keys)).toEqual([
      { model: "m", day: "2026-01-02" },
      { model: "n", day: "2026-01-02" },
    ]);
    expect(await store.queryLedger({ groupBy: ["model"], to: "2026-01-02T03:04:05.000Z" })).toEqual([]);
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
    await opened.store.saveQueue("a", [task, { ...task, id: "u", sent_seq: 4 }], []);
    const question = { type: "extension_ui_request" as const, id: "q", method: "confirm", asked_at: "now" };
    await opened.store.saveQuestions("a", [question]);
    for (const id of ["1", "2", "3"]) {
      await opened.store.saveAnswer("a", answer(id));
    }
    const store = await opened.reopen();
    expect(await store.loadQueue("a")).toEqual([task, { ...task, id: "u", sent_seq: 4 }]);
    expect(await store.loadQuestions("a")).toEqual([question]);
    expect((await store.loadAnswers("a", 2)).map((answer) => answer.id).sort()).toHaveLength(2);
    await store.keepTask("a", { ...task, id: "u", sent_seq: 9 });
    expect(await store.loadQueue("a")).toEqual([{ ...task, id: "u", sent_seq: 9 }, task]);
    await store.saveQueue("a", [], [answer("4")]);
    expect(await store.loadQueue("a")).toEqual([]);
    expect((await store.loadAnswers("a", 1)).map(({ id }) => id)).toEqual(["4"]);
  });
});
