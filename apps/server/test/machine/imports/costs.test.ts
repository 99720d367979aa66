// Costs of other programs, imported into a real store from recorded files of these programs.
import { mkdirSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import {
  type CostImport,
  emptyTranscript,
  type Frame,
  foldTranscript,
  type ImportedSums,
} from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { callPricer, importedUsage } from "../../../src/costs/imports/call-pricer.ts";
import { importCosts } from "../../../src/costs/imports/import-costs.ts";
import { readPiRow } from "../../../src/machine/imports/formats/pi-rows.ts";
import {
  initialState,
  type RecordedCall,
  type RowReader,
} from "../../../src/machine/imports/formats/recorded-call.ts";
import { readZotRow } from "../../../src/machine/imports/formats/zot-rows.ts";
import { openSessionFile, rowsOf } from "../../../src/machine/imports/read-rows.ts";
import { localImports } from "../../../src/machine/local-machine.ts";
import { costChange, type LedgerEntry, type PriceChange } from "../../../src/store/ledger-types.ts";
import type { Store } from "../../../src/store/store.ts";
import { openStore } from "../../support/open-store.ts";
import { Outside, prices } from "./outside.ts";

const run = (store: Store, outside: Outside, options: { dryRun?: boolean; from?: string } = {}) =>
  importCosts({ store, imports: localImports(outside.environment), prices, dryRun: false, ...options });

const of = (report: CostImport, program: string): Partial<ImportedSums> =>
  report.programs.find((sums) => sums.program === program) ?? {};

const total = async (store: Store) => (await store.queryLedger({ groupBy: [] }))[0]?.usage;

async function readCalls(path: string, readRow: RowReader = readPiRow): Promise<RecordedCall[]> {
  const handle = await openSessionFile(path);
  const calls: RecordedCall[] = [];
  let state = initialState;
  for await (const { row } of rowsOf(handle)) {
    const read = readRow(state, row ?? {});
    state = read?.state ?? state;
    if (read?.call !== undefined) calls.push(read.call);
  }
  await handle.close();
  return calls;
}

/** Every query gives the same sums. */
async function agrees(store: Store): Promise<void> {
  const all = await total(store);
  for (const groupBy of [["session"], ["model", "cwd"], ["day"], ["worker"]] as const) {
    const rows = await store.queryLedger({ groupBy });
    const nanos = rows.reduce((sum, { usage }) => sum + Math.round(usage.cost_usd * 1e9), 0);
    expect(nanos).toBe(Math.round((all?.cost_usd ?? 0) * 1e9));
    expect(rows.reduce((sum, { usage }) => sum + usage.calls, 0)).toBe(all?.calls ?? 0);
  }
}

it("[Y400] a sum over several calls of zot is not the size of the context", async () => {
  using outside = new Outside();
  outside.record("zot", "first");
  const calls = await readCalls(outside.path("zot", "first"), readZotRow);
  const sizes = calls.map((_call, index) => {
    const frames = calls
      .slice(0, index + 1)
      .flatMap((call): Frame[] => [
        { type: "user_message", content: [{ type: "text", text: "Go on" }], time: call.time },
        importedUsage(call, callPricer(prices)),
        { type: "assistant_message", content: [{ type: "text", text: "Yes." }], time: call.time },
        { type: "done" },
      ]);
    return frames.reduce(foldTranscript, emptyTranscript).context_tokens;
  });
  expect(calls.map(({ input, isSum = false }) => [input, isSum])).toEqual([
    [1000, false],
    [2100, true],
    [700, false],
  ]);
  expect(sizes).toEqual([1600, 1600, 730]);
});

describe("costs of files", () => {
  it("[Y41] each program's calls are entries, marked as imported, with model, directory, time and price", async () => {
    using outside = new Outside();
    await using opened = await openStore();
    for (const program of ["pi", "omp", "zot", "claude"] as const) outside.record(program, "first");
    const report = await run(opened.store, outside);
    expect(report).toMatchObject({ state: "done", dry_run: false, problems: [] });
    expect(of(report, "pi")).toMatchObject({
      files: 1,
      added: 5,
      cost_usd: 0.0204,
      unpriced: 1, // a compaction whose usage the file does not tell
      unreadable: 0,
    });
    expect(of(report, "omp")).toMatchObject({ files: 1, added: 4, cost_usd: 0.02025 });
    expect(of(report, "zot")).toMatchObject({ files: 1, added: 3, cost_usd: 0.01524 });
    expect(of(report, "claude")).toMatchObject({ files: 1, added: 2, cost_usd: 0, unpriced: 2 });
    const rows = await opened.store.queryLedger({
      groupBy: ["session", "worker", "provider", "model", "cwd", "day"],
    });
    expect(rows.map(({ keys }) => keys)).toContainEqual({
      session: "claude:d978e987-b521-419d-860b-9d923c9c98fa",
      worker: "claude (imported)",
      provider: "anthropic",
      model: "fake-claude",
      cwd: outside.project,
      day: "2026-11-16",
    });
    const zot = rows.find(({ keys }) => keys.worker === "zot (imported)");
    expect(zot?.keys.day).toBe("2026-05-02");
    // The second turn's usage was the sum: it is counted as what it added.
    expect(zot?.usage).toMatchObject({ input: 3800, output: 200, cache_read: 300, cache_write: 200 });
    const turns = await opened.store.expensiveTurns({ where: { worker: "pi (imported)" } }, 10);
    expect(turns.map(({ turn, usage }) => [turn, usage.calls])).toEqual([
      [2, 3],
      [1, 1],
      [3, 1],
    ]);
    await agrees(opened.store);
  });

  it("[Y42] importing again changes nothing, a file that grows adds what is new, a rewritten one is read from the start", async () => {
    using outside = new Outside();
    await using opened = await openStore();
    outside.record("pi", "first");
    await run(opened.store, outside);
    const before = await total(opened.store);
    expect(of(await run(opened.store, outside), "pi")).toMatchObject({ added: 0, changed: 0, known: 0 });
    const store = await opened.reopen();
    expect(await total(store)).toEqual(before);

    const answer = (at: number): string =>
      `{"type":"message","id":"x${at}","parentId":"0b6ba6c4","timestamp":"2026-11-16T14:00:0${at}.000Z","message":{"role":"assistant","content":[],"provider":"fake","model":"fake-chat","timestamp":${at},"usage":{"input":10,"output":1,"cacheRead":0,"cacheWrite":0,"cost":{"total":0.000045}}}}`;
    // Half a line is no call yet; a whole one counts, with its line feed or before it.
    outside.append("pi", "first", answer(1).slice(0, 60));
    expect(of(await run(store, outside), "pi")).toMatchObject({ added: 0, unreadable: 0 });
    outside.append("pi", "first", answer(1).slice(60));
    expect(of(await run(store, outside), "pi")).toMatchObject({ added: 1 });
    outside.append("pi", "first", `\n${answer(2)}\n`);
    expect(of(await run(store, outside), "pi")).toMatchObject({ added: 1, known: 1, cost_usd: 0.000045 });

    truncateSync(outside.path("pi", "first"), 300);
    outside.append("pi", "first", `\n${answer(2)}\n${answer(3)}\n`);
    expect(of(await run(store, outside), "pi")).toMatchObject({ added: 1, known: 1 });
    await agrees(store);
  });

  it("[Y43] calls that a fork or a copy repeats are counted once", async () => {
    using outside = new Outside();
    await using opened = await openStore();
    for (const program of ["pi", "omp", "zot"] as const) outside.record(program, "first", "fork");
    const report = await run(opened.store, outside);
    expect(of(report, "pi")).toMatchObject({ files: 2, added: 6, known: 4, unpriced: 1, cost_usd: 0.022995 });
    expect(of(report, "omp")).toMatchObject({ files: 2, added: 5, known: 3 });
    expect(of(report, "zot")).toMatchObject({ files: 2, added: 4, known: 1, cost_usd: 0.017835 });
    await agrees(opened.store);
  });

  it("[Y44] of an answer that is written in parts the last usage counts, whichever file or import has it", async () => {
    using outside = new Outside();
    await using opened = await openStore();
    const part = (output: number, id = "msg_1", request = "req_1"): string =>
      `${JSON.stringify({ type: "assistant", sessionId: "s", cwd: "/c", timestamp: "2026-01-01T00:00:00Z", requestId: request, message: { id, model: "claude-x", usage: { input_tokens: 10, output_tokens: output } } })}\n`;
    outside.write("claude", "a", part(1) + part(1));
    expect(of(await run(opened.store, outside), "claude")).toMatchObject({ added: 1, changed: 0 });
    outside.append("claude", "a", part(40) + part(7, "msg_2", "req_2"));
    expect(of(await run(opened.store, outside), "claude")).toMatchObject({ added: 1, changed: 1 });
    outside.write("claude", "resumed", part(1) + part(40) + part(5, "msg_3", "req_3"));
    expect(of(await run(opened.store, outside), "claude")).toMatchObject({ added: 1, changed: 0, known: 1 });
    expect(await total(opened.store)).toMatchObject({ calls: 3, output: 40 + 7 + 5, input: 30, unpriced: 3 });
    await agrees(opened.store);
  });

  it("[U40] what Claude Code cached for an hour has its price, also for calls that were read without it", async () => {
    using outside = new Outside();
    await using opened = await openStore();
    const row = (extra: object) =>
      `${JSON.stringify({ type: "assistant", sessionId: "s", cwd: "/c", timestamp: "2026-01-01T00:00:00Z", requestId: "r", message: { id: "m", model: "claude-sonnet-4-5", usage: { input_tokens: 1_000, output_tokens: 100, cache_creation_input_tokens: 10_000, ...extra } } })}\n`;
    outside.write("claude", "a", row({}));
    await run(opened.store, outside);
    expect(await total(opened.store)).toMatchObject({ cost_usd: 0.042 });
    outside.write("claude", "b", row({ cache_creation: { ephemeral_1h_input_tokens: 8_000 } }));
    expect(of(await run(opened.store, outside), "claude")).toMatchObject({ changed: 1 });
    expect(await total(opened.store)).toMatchObject({ calls: 1, cost_usd: 0.06 });
    // [U76] Searches are billed beside tokens, also for a call that was read without them.
    const hour = { cache_creation: { ephemeral_1h_input_tokens: 8_000 } };
    outside.write("claude", "c", row({ ...hour, server_tool_use: { web_search_requests: 3 } }));
    expect(of(await run(opened.store, outside), "claude")).toMatchObject({ changed: 1 });
    expect(await total(opened.store)).toMatchObject({ calls: 1, cost_usd: 0.09 });
    // The catalog knows no fast mode of this model: what the call cost is unknown.
    outside.write(
      "claude",
      "d",
      row({ ...hour, server_tool_use: { web_search_requests: 3 }, speed: "fast" }),
    );
    await run(opened.store, outside);
    expect(await total(opened.store)).toMatchObject({ calls: 1, cost_usd: 0, unpriced: 1 });
    await agrees(opened.store);
  });

  it("[Y45] a call that is in a log is not counted again, whichever comes first", async () => {
    using outside = new Outside();
    await using opened = await openStore();
    outside.record("pi", "first");
    const { store } = opened;
    const calls = await readCalls(outside.path("pi", "first"));
    const seen = calls.map((call, index): LedgerEntry => {
      const { cost_usd, incomplete, maybeUnnamed: _unnamed, ...entry } = call;
      const cost_nanos = Math.round((cost_usd ?? 0) * 1e9);
      return {
        ...entry,
        session: "ours",
        seq: 10 + index,
        worker: "pi",
        person: "",
        cost_nanos,
        price: incomplete === true ? "incomplete" : "worker",
      };
    });
    expect(seen).toHaveLength(5);
    await store.record(seen.slice(0, 2)); // relayed before
    expect(of(await run(store, outside), "pi")).toMatchObject({ added: 3, known: 2 });
    await store.record(seen); // a killed server's log, caught up later
    expect(await total(store)).toMatchObject({ calls: 5, cost_usd: 0.0204 });
    expect((await store.queryLedger({ groupBy: ["session"] })).map(({ keys }) => keys.session)).toEqual([
      "ours",
    ]);
    expect(await store.ledgerPosition("ours")).toBe(14);
    await agrees(store);
  });

  it("[U57] the usage of a file replaces an estimated or unknown entry of a log, once, whichever comes first", async () => {
    using outside = new Outside();
    await using opened = await openStore();
    outside.record("pi", "first");
    const { store } = opened;
    const calls = (await readCalls(outside.path("pi", "first"))).filter(
      ({ incomplete }) => incomplete !== true,
    );
    const cut = calls.map((call, index): LedgerEntry => {
      const { cost_usd: _cost, incomplete: _incomplete, maybeUnnamed: _unnamed, ...entry } = call;
      const figures = { output: 7, cost_nanos: 100_000 * index, turn: 90, person: "ada" };
      const named = { ...entry, ...figures, session: "ours", seq: 10 + index, worker: "pi" };
      return index === 0
        ? { ...named, price: "incomplete" }
        : { ...named, price: "worker", certainty: "estimated", low_nanos: 50_000, high_nanos: 9_000_000 };
    });
    await store.record(cut.slice(0, 2));
    expect(await total(store)).toMatchObject({ calls: 2, cost_usd: 0.0001, unpriced: 1, estimated: 1 });
    const settled: PriceChange[] = [];
    const first = await importCosts({
      ...{ store, prices, imports: localImports(outside.environment), dryRun: false },
      settled: (changes) => settled.push(...changes),
    });
    expect(of(first, "pi")).toMatchObject({ added: 3, changed: 2, known: 0 });
    const of2 = calls.slice(0, 2).map(({ cost_usd }) => Math.round((cost_usd ?? 0) * 1e9));
    expect(settled.map(({ cost_nanos }) => cost_nanos)).toEqual(of2);
    expect(costChange(settled[0]!)).toMatchObject({ unpriced: -1, estimated: 0, cost_nanos: of2[0] });
    expect(costChange(settled[1]!)).toEqual({
      ...{ cost_nanos: of2[1]! - 100_000, unpriced: 0, estimated: -1 },
      ...{ below_nanos: -50_000, above_nanos: -8_900_000 },
    });
    const exact = await total(store);
    expect(exact).toMatchObject({ calls: 5, cost_usd: 0.0204, unpriced: 1 });
    expect(exact).not.toHaveProperty("estimated");
    await store.record(cut); // the log, caught up after its file was imported
    expect(await total(store)).toEqual(exact);
    expect(of(await run(store, outside), "pi")).toMatchObject({ added: 0, changed: 0 });
    const [ours] = await store.queryLedger({ groupBy: ["session", "person"] });
    expect(ours).toMatchObject({ keys: { session: "ours", person: "ada" }, usage: { calls: 4 } });
    await agrees(store);
  });

  it("[Y46] later calls of an agent that reports its session's id are counted when they are relayed", async () => {
    using outside = new Outside();
    await using opened = await openStore();
    const { store } = opened;
    const called = (id: string, timestamp: string): string =>
      `${JSON.stringify({ type: "assistant", sessionId: "agents-own", timestamp, requestId: id, message: { id, model: "m", usage: { input_tokens: 1, output_tokens: 1 } } })}\n`;
    outside.write(
      "claude",
      "a",
      called("before", "2001-01-01T00:00:00Z") + called("since", "2099-01-01T00:00:00Z"),
    );
    const time = "2026-01-01T00:00:00.000Z";
    const names = { name: "n", worker: "claude", dialect: "acp", cwd: "/", provider: "", model: "" };
    const record = { id: "ours", ...names, created_at: time, updated_at: time, seq: 0, message_count: 0 };
    await store.createSession({ ...record, process: null, pinned: false, archived: false, deletes_at: null });
    await (await store.claim("ours")).update({ agent_session: "agents-own" });
    // Until it has reported costs, they are only in its file.
    expect(of(await run(store, outside, { dryRun: true }), "claude")).toMatchObject({ added: 2, own: 0 });
    const figures = { input: 1, output: 1, cache_read: 0, cache_write: 0, thinking: 0, cost_nanos: 5 };
    const { name: _name, dialect: _dialect, ...where } = names;
    await store.record([
      {
        session: "ours",
        seq: 1,
        time,
        turn: 1,
        person: "",
        branch: "",
        ...where,
        ...figures,
        price: "worker",
      },
    ]);
    await store.deleteSession("ours");
    expect(of(await run(store, outside), "claude")).toMatchObject({ added: 1, own: 1 });
  });

  it("[Y47] a dry run reports the same and changes nothing", async () => {
    using outside = new Outside();
    await using opened = await openStore();
    outside.record("pi", "first", "fork");
    const dry = await run(opened.store, outside, { dryRun: true });
    expect(await total(opened.store)).toBeUndefined();
    const real = await run(opened.store, outside);
    expect(of(dry, "pi")).toEqual(of(real, "pi"));
  });

  it("[Y48] lines of any length are read from any offset, and one that is too long is left out", async () => {
    using outside = new Outside();
    const long = "x".repeat(600_000);
    const lines = [
      '{"a":1}',
      "",
      `{"b":"${long}"}`,
      '{"c":"\u2028é"}\r',
      `{"d":"${long}${long}"}`,
      '{"e":5}',
      '{"f"',
    ];
    outside.write("pi", "long", lines.join("\n"));
    const handle = await openSessionFile(outside.path("pi", "long"));
    try {
      const read = async (from: number) => {
        const rows: (string | null)[] = [];
        for await (const { row, end, whole } of rowsOf(handle, from, 1_000_000))
          rows.push(`${row === null ? "none" : Object.keys(row).join()} ${whole} ${end}`);
        return rows;
      };
      const all = await read(0);
      const ends = lines.map((_, index) => Buffer.byteLength(lines.slice(0, index + 1).join("\n")) + 1);
      expect(all).toEqual([
        `a true ${ends[0]}`,
        `b true ${ends[2]}`,
        `c true ${ends[3]}`,
        `none true ${ends[4]}`,
        `e true ${ends[5]}`,
        `none false ${(ends[6] ?? 0) - 1}`,
      ]);
      expect(await read(ends[2] ?? 0)).toEqual(all.slice(2));
    } finally {
      await handle.close();
    }
  });

  it("[Y48] garbage is counted, links are not followed, and another home can be read", async () => {
    using outside = new Outside();
    using elsewhere = new Outside();
    await using opened = await openStore();
    elsewhere.record("pi", "first");
    outside.write(
      "pi",
      "bad",
      'no json\n[1]\n{"type":"message","message":7}\n{"no":"type"}\n\u2028\n{"type":"session"}\n\0\0\n',
    );
    outside.write("claude", "bad", '{"type":"assistant","message":[]}\n');
    mkdirSync(join(outside.home, ".omp/agent"), { recursive: true });
    symlinkSync(
      elsewhere.path("pi", "first"),
      join(outside.home, ".pi/agent/sessions/--work-project--/link.jsonl"),
    );
    symlinkSync(join(elsewhere.home, ".pi"), join(outside.home, ".pi/agent/sessions/linked"));
    mkdirSync(join(outside.home, ".pi/agent/sessions/--work-project--/directory.jsonl"));
    const report = await run(opened.store, outside);
    expect(of(report, "pi")).toMatchObject({ files: 1, added: 0, unreadable: 7 });
    expect(of(report, "claude")).toMatchObject({ unreadable: 1 });
    expect(await total(opened.store)).toBeUndefined();
    expect(of(await run(opened.store, outside, { from: elsewhere.home }), "pi")).toMatchObject({ added: 5 });
  });
});
