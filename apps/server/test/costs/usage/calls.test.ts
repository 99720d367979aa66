// Single calls of the ledger over HTTP: pages, files, FOCUS.
import { setImmediate as nextTick } from "node:timers/promises";
import { type RunningServer, startServer } from "@patchbay/testing/server-process";
import { describe, expect, it } from "vitest";
import { callsCsv, readCallPage } from "../../../src/costs/usage/call-rows.ts";
import type { LedgerEntry } from "../../../src/store/ledger-types.ts";
import { SqliteStore } from "../../../src/store/sqlite/sqlite-store.ts";
import { openStore } from "../../support/open-store.ts";

const call = (seq: number, more: Partial<LedgerEntry> = {}): LedgerEntry => ({
  session: "s1",
  seq,
  time: new Date(Date.UTC(2026, 9, 31, 23, 0, seq)).toISOString(),
  turn: 1,
  person: "owner",
  cwd: "/work/api",
  branch: "main",
  worker: "builtin",
  provider: "anthropic",
  model: "claude-sonnet-4-5",
  input: 100,
  output: 20,
  cache_read: 7,
  cache_write: 50,
  cache_write_1h: 30,
  thinking: 3,
  cost_nanos: 1_500,
  price: "worker",
  ...more,
});

const calls: readonly LedgerEntry[] = [
  call(1),
  call(2, { certainty: "estimated", low_nanos: 1_000, high_nanos: 9_000, price: "catalog 7" }),
  call(3, { price: "none", cost_nanos: 0, model: "=qwen, local", cwd: "/work/web" }),
  call(4, { session: "s2", time: call(3).time, provider: "openai" }),
  call(5, { time: "2026-11-01T00:00:00.000Z" }),
];

const withCalls = (): Promise<RunningServer> =>
  startServer({
    prepare: async (home) => {
      const store = await SqliteStore.open({ home, segmentBytes: 1_000, onWriteError: () => {} });
      await store.record(calls);
      await store.close();
    },
  });

interface Page {
  calls: { id: string }[];
  next: string | null;
}

const rowsOf = (csv: string): string[][] =>
  csv
    .trimEnd()
    .split("\r\n")
    .map((line) => line.match(/("([^"]|"")*"|[^,]*)(,|$)/g)?.map((cell) => cell.replace(/,$/, "")) ?? []);

const asObjects = (csv: string): Record<string, string>[] => {
  const [head = [], ...rows] = rowsOf(csv);
  return rows.map((cells) => Object.fromEntries(head.map((name, index) => [name, cells[index] ?? ""])));
};

describe("single calls", () => {
  it("[U80] every call is a row, in pages that follow each other, as JSON lines and as CSV", async () => {
    await using server = await withCalls();
    const ids: string[] = [];
    let after = "";
    do {
      const page = (await server.call("GET", `/api/usage/calls?limit=2${after}`)).body as Page;
      ids.push(...page.calls.map(({ id }) => id));
      after = page.next === null ? "" : `&after=${encodeURIComponent(page.next)}`;
    } while (after !== "");
    expect(ids).toEqual(["s1/1", "s1/2", "s1/3", "s2/4", "s1/5"]);

    const all = (await server.call("GET", "/api/usage/calls")).body as Page;
    expect(all.next).toBeNull();
    expect(all.calls).toMatchObject([
      {
        certainty: "exact",
        cost_usd: 0.0000015,
        low_usd: 0.0000015,
        high_usd: 0.0000015,
        cache_write_5m: 20,
        cache_write_1h: 30,
        price: "worker",
        origin: "session",
      },
      { certainty: "estimated", low_usd: 0.000001, high_usd: 0.000009, price: "catalog 7" },
      { certainty: "unknown", cost_usd: null, low_usd: null, high_usd: null, price: "none" },
      { provider: "openai" },
      {},
    ]);
    const csv = asObjects((await server.call("GET", "/api/usage/calls.csv")).text);
    expect(csv).toHaveLength(5);
    expect(csv[0]).toMatchObject({ id: "s1/1", cost_usd: "0.0000015", cache_write_1h: "30" });
    expect(csv[2]).toMatchObject({
      cost_usd: "",
      low_usd: "",
      certainty: "unknown",
      model: `"'=qwen, local"`,
    });
    const lines = (await server.call("GET", "/api/usage/calls.jsonl")).text.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(all.calls);

    const found = async (query: string): Promise<string[]> =>
      ((await server.call("GET", `/api/usage/calls?${query}`)).body as Page).calls.map(({ id }) => id);
    expect(await found("provider=openai&limit=1")).toEqual(["s2/4"]);
    expect(await found("session=s2")).toEqual(["s2/4"]);
    expect(await found("cwd=/work/web")).toEqual(["s1/3"]);
    expect(await found("from=2026-11-01")).toEqual(["s1/5"]);
    expect(await found("from=2026-11-01&tz=Europe/Berlin")).toEqual(ids);
    for (const wrong of ["limit=0", "limit=1001", "after=x", "tz=Middle/Earth", "from=yesterday"])
      expect([wrong, (await server.call("GET", `/api/usage/calls?${wrong}`)).status]).toEqual([wrong, 400]);
  });

  it("[U83] pages of a filter have its calls, each once and in order, however far apart they are", async () => {
    const quarterMs = 15 * 60_000;
    await using opened = await openStore();
    const { store } = opened;
    const start = Date.UTC(2026, 9, 1);
    const many = Array.from({ length: 600 }, (_, index) =>
      call(index + 1, {
        time: new Date(start + Math.floor(index / 3) * quarterMs * (index > 300 ? 5 : 1)).toISOString(),
        model: index % 7 === 0 || (index > 100 && index < 160) ? "rare" : "usual",
        branch: index > 590 ? "late" : "main",
      }),
    );
    await store.record(many);
    const filters = [
      { model: "rare" },
      { branch: "late" },
      { model: "rare", branch: "late" },
      { model: "none" },
    ];
    for (const where of filters)
      for (const limit of [1, 7, 100])
        for (const range of [{}, { from: many[50]?.time, to: many[595]?.time }]) {
          const fits = many.filter(
            ({ model, branch, time }) =>
              (where.model ?? model) === model &&
              ("branch" in where ? where.branch : branch) === branch &&
              time >= (range.from ?? "") &&
              time < (range.to ?? "9"),
          );
          const found: string[] = [];
          let after: Parameters<typeof readCallPage>[2];
          do {
            const page = await readCallPage(store, { where, ...range }, after, limit);
            found.push(...page.rows.map(({ id }) => id));
            expect(page.rows.length === limit || page.next === undefined).toBe(true);
            after = page.next;
          } while (after !== undefined);
          expect(found).toEqual(fits.map(({ session, seq }) => `${session}/${seq}`));
        }
  });

  it("[U81] a file of 20,000 calls lets the rest of the process run in between", async () => {
    await using opened = await openStore();
    const many = Array.from({ length: 20_000 }, (_, index) => call(index + 1));
    await opened.store.record(many);
    let ticks = 0;
    let done = false;
    const ticking = (async () => {
      for (; !done; ticks++) await nextTick();
    })();
    let lines = 0;
    let longest = 0;
    for await (const text of callsCsv(opened.store, { where: { model: "claude-sonnet-4-5" } })) {
      longest = Math.max(longest, text.length);
      lines += text.split("\r\n").length - 1;
    }
    done = true;
    await ticking;
    expect(lines).toBe(20_001);
    expect(longest).toBeLessThan(1_000_000);
    expect(ticks).toBeGreaterThanOrEqual(19);
  });

  it("[U82] the FOCUS export has one charge per call, and no cost where none is known", async () => {
    await using server = await withCalls();
    const charges = asObjects((await server.call("GET", "/api/usage/focus.csv")).text);
    expect(charges).toHaveLength(5);
    expect(charges[0]).toMatchObject({
      BilledCost: "0.0000015",
      EffectiveCost: "0.0000015",
      BillingCurrency: "USD",
      BillingPeriodStart: "2026-10-01T00:00:00Z",
      BillingPeriodEnd: "2026-11-01T00:00:00Z",
      ChargeCategory: "Usage",
      ChargePeriodStart: "2026-10-31T23:00:01Z",
      ChargePeriodEnd: "2026-10-31T23:00:02Z",
      ConsumedQuantity: "177",
      ConsumedUnit: "Tokens",
      ListUnitPrice: "",
      ServiceCategory: "AI and Machine Learning",
      SkuId: "anthropic/claude-sonnet-4-5",
      SubAccountId: "/work/api",
      ResourceId: "s1",
      Tags: '"{""person"":""owner"",""branch"":""main"",""worker"":""builtin""}"',
      x_CostCertainty: "exact",
      x_CacheWrite1hTokens: "30",
    });
    expect(charges[1]).toMatchObject({ x_CostCertainty: "estimated", x_CostHigh: "0.000009" });
    for (const name of ["BilledCost", "EffectiveCost", "ContractedCost", "ListCost", "x_CostLow"])
      expect([name, charges[2]?.[name]]).toEqual([name, ""]);
    expect(charges[4]).toMatchObject({ BillingPeriodStart: "2026-11-01T00:00:00Z" });
  });
});
