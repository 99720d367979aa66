// A provider's usage export against the ledger: what is read, what is refused, and what differs.
import { type Reconciliation } from "@patchbay/protocol";
import { startServer } from "@patchbay/testing/server-process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compare, modelKey } from "../../../src/costs/reconcile/compare.ts";
import { readCsv } from "../../../src/costs/reconcile/csv-reader.ts";
import { readExport } from "../../../src/costs/reconcile/read-export.ts";
import type { LedgerEntry } from "../../../src/store/ledger-types.ts";
import { SqliteStore } from "../../../src/store/sqlite/sqlite-store.ts";

const anthropicUsage = [
  "usage_date_utc,model_version,api_key,workspace,usage_type,context_window,usage_input_tokens_no_cache,usage_input_tokens_cache_write_5m,usage_input_tokens_cache_write_1h,usage_input_tokens_cache_read,usage_output_tokens,web_search_count,inference_geo,speed",
  '2026-08-05,claude-sonnet-4-5-20250929,"Team, API",Default,standard,≤ 200k,1000,200,50,4000,300,0,global,',
  "2026-08-05,claude-sonnet-4-5-20250929,other,Default,standard,≤ 200k,10,0,0,0,5,0,global,",
  "2026-08-06,claude-haiku-4-5-20251001,other,Default,standard,≤ 200k,7,0,0,0,3,0,global,",
].join("\r\n");

const anthropicCost = [
  "usage_date_utc,model,workspace,api_key,usage_type,context_window,token_type,cost_usd,list_price_usd,cost_type,inference_geo,speed",
  "2026-08-05,Claude Sonnet 4.5,Default,key,message,≤ 200k,input_no_cache,0.03,0.03,token,global,",
  "2026-08-05,Claude Sonnet 4.5,Default,key,message,≤ 200k,output,0.02,0.02,token,global,",
].join("\n");

const openaiUsage = [
  "start_time,end_time,start_time_iso,end_time_iso,project_id,num_model_requests,user_id,api_key_id,model,batch,service_tier,input_tokens,output_tokens,input_cached_tokens,input_uncached_tokens",
  "1759622400,1759708800,2025-10-05T00:00:00+00:00,2025-10-06T00:00:00+00:00,proj_1,10.0,user_1,key_1,gpt-4o-2024-08-06,FALSE,default,59200.0,10646.0,5760.0,53440.0",
  "1759708800,1759795200,2025-10-06T00:00:00+00:00,2025-10-07T00:00:00+00:00,,,,,,,,,,,",
].join("\n");

const openaiCost = [
  "start_time,end_time,start_time_iso,end_time_iso,amount_value,amount_currency,line_item,project_id,organization_id,organization_name",
  '1759622400,1759708800,2025-10-05T00:00:00+00:00,2025-10-06T00:00:00+00:00,0.8958740000000000,usd,"gpt-4o-2024-08-06, input",,org-1,Personal',
  '1759622400,1759708800,2025-10-05T00:00:00+00:00,2025-10-06T00:00:00+00:00,0.1,usd,"gpt-4o-2024-08-06, output",,org-1,Personal',
].join("\n");

const anthropicUsagePage = {
  data: [
    {
      starting_at: "2026-08-05T00:00:00Z",
      ending_at: "2026-08-06T00:00:00Z",
      results: [
        {
          uncached_input_tokens: 1_500,
          cache_creation: { ephemeral_1h_input_tokens: 1_000, ephemeral_5m_input_tokens: 500 },
          cache_read_input_tokens: 200,
          output_tokens: 500,
          server_tool_use: { web_search_requests: 10 },
          model: "claude-sonnet-4-20250514",
        },
      ],
    },
  ],
  has_more: true,
  next_page: "page_1",
};
const anthropicCostPage = {
  data: [
    {
      starting_at: "2026-08-05T00:00:00Z",
      ending_at: "2026-08-06T00:00:00Z",
      results: [{ currency: "USD", amount: "123.45", model: null, description: null }],
    },
  ],
  has_more: false,
  next_page: null,
};
const openaiUsagePage = {
  object: "page",
  data: [
    {
      object: "bucket",
      start_time: 1_759_622_400,
      end_time: 1_759_708_800,
      results: [
        {
          object: "organization.usage.completions.result",
          input_tokens: 1_000,
          output_tokens: 100,
          input_cached_tokens: 800,
          num_model_requests: 2,
          model: "gpt-5",
        },
      ],
    },
    { object: "bucket", start_time: 1_759_708_800, end_time: 1_759_795_200, results: [] },
  ],
  has_more: false,
};
const openaiCostPage = {
  object: "page",
  data: [
    {
      object: "bucket",
      start_time: 1_759_622_400,
      end_time: 1_759_708_800,
      results: [
        {
          object: "organization.costs.result",
          amount: { value: 0.06, currency: "usd" },
          line_item: "gpt-5, output",
        },
      ],
    },
  ],
};

async function* pieces(text: string, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const read = (text: string) => readExport(pieces(text));

describe("an export", () => {
  it("[U110] is told by its columns, and read whichever of the documented files it is", async () => {
    expect(await read(anthropicUsage)).toMatchObject({
      ...{ provider: "anthropic", from: "2026-08-05", to: "2026-08-06", isPartial: false },
      sums: [
        {
          model: "claude-sonnet-4-5-20250929",
          tokens: { input: 1_010, output: 305, cache_read: 4_000, cache_write: 250 },
          cost_nanos: null,
        },
        { model: "claude-haiku-4-5-20251001" },
      ],
    });
    expect((await read(anthropicCost)).sums).toEqual([
      { day: "2026-08-05", model: "Claude Sonnet 4.5", tokens: null, cost_nanos: 50_000_000 },
    ]);
    expect(await read(openaiUsage)).toMatchObject({
      ...{ provider: "openai", from: "2025-10-05", to: "2025-10-06" },
      sums: [{ tokens: { input: 53_440, output: 10_646, cache_read: 5_760, cache_write: 0 } }],
    });
    expect((await read(openaiCost)).sums).toEqual([
      { day: "2025-10-05", model: "gpt-4o-2024-08-06", tokens: null, cost_nanos: 995_874_000 },
    ]);
    expect(await read(JSON.stringify(anthropicUsagePage))).toMatchObject({
      isPartial: true,
      sums: [{ tokens: { input: 1_500, output: 500, cache_read: 200, cache_write: 1_500 } }],
    });
    expect((await read(JSON.stringify(anthropicCostPage))).sums).toMatchObject([
      { model: "", cost_nanos: 1_234_500_000 },
    ]);
    expect(await read(JSON.stringify([openaiUsagePage]))).toMatchObject({
      to: "2025-10-06",
      sums: [{ model: "gpt-5", tokens: { input: 200, cache_read: 800, output: 100 } }],
    });
    expect((await read(JSON.stringify(openaiCostPage))).sums).toMatchObject([
      { model: "gpt-5", cost_nanos: 60_000_000 },
    ]);
  });

  it("[U110] may have the semicolons of a spreadsheet, a byte order mark, and hours, which are summed into UTC days", async () => {
    const hours = [
      "\uFEFFusage_date_utc;model;token_type;cost_usd",
      "2026-08-05 23:00;Claude Opus 4.5;output;1",
      "2026-08-05T22:30:00-05:00;Claude Opus 4.5;output;2",
    ].join("\n");
    expect((await read(hours)).sums).toMatchObject([
      { day: "2026-08-05", cost_nanos: 1e9 },
      { day: "2026-08-06", cost_nanos: 2e9 },
    ]);
  });

  it.each([
    [
      "another kind of file",
      "a,b\n1,2\n",
      /These columns are of no known export: a, b\. Expected one of: .*usage_date_utc/,
    ],
    ["nothing", " \n", /empty/],
    ["only columns", "usage_date_utc,model,token_type,cost_usd\n", /nothing was used/],
    [
      "a cut row",
      "usage_date_utc,model,token_type,cost_usd\n2026-08-05,Claude",
      /Line 2: it has fewer cells/,
    ],
    [
      "a cut quote",
      'usage_date_utc,model,token_type,cost_usd\n2026-08-05,"Claude',
      /Line 2: a quoted cell does not end/,
    ],
    ["a bad count", anthropicUsage.replace("1000,", "many,"), /Line 2: "many" is not a number of tokens/],
    ["a negative count", anthropicUsage.replace("1000,", "-1,"), /Line 2: "-1" is not a number of tokens/],
    ["a bad date", anthropicCost.replace("2026-08-05", "05.08.2026"), /Line 2: "05.08.2026" is not a date/],
    ["a bad amount", anthropicCost.replace("0.03,", "free,"), /Line 2: "free" is not an amount/],
    ["other money", openaiCost.replace("usd", "eur"), /Line 2: the amount is in "eur"/],
    ["cut JSON", JSON.stringify(openaiUsagePage).slice(0, 200), /not valid JSON/],
    ["other JSON", '{"rows":[]}', /no answer of a usage or cost API/],
    [
      "another API's JSON",
      '{"data":[{"start_time":1759622400,"results":[{"images":1}]}]}',
      /Bucket 1: a result is not one of/,
    ],
    ["JSON without results", '{"data":[{"start_time":1759622400,"results":[]}]}', /nothing was used/],
    ["no text", "\xff\xfe\x00", /no text in UTF-8|no known export/],
    ["an endless cell", `usage_date_utc,${"x".repeat(20_000)}`, /longer than 10000 characters/],
    ["endless columns", `${"a,".repeat(300)}\n`, /more than 200 columns/],
  ])("[U111] that is %s is refused with a sentence", async (_what, text, sentence) => {
    await expect(read(text)).rejects.toThrow(sentence);
  });

  it("[U111] of too many rows, or days and models, is refused before it takes memory", async () => {
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode("usage_date_utc,model,token_type,cost_usd\n");
      for (let model = 0; ; model++)
        yield new TextEncoder().encode(`2026-08-05,m${model},output,1\n`.repeat(2));
    }
    await expect(readExport(endless())).rejects.toThrow("more than 20,000 days and models");
  });

  it("[U110] reads cells back as any writer of CSV wrote them, cut into any pieces", async () => {
    const cell = fc.string({ unit: fc.constantFrom("a", "1", ",", '"', "\n", "\r\n", " ", "é") });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(cell, cell), { minLength: 1 }),
        fc.integer({ min: 1, max: 9 }),
        async (rows, size) => {
          const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
          const text = rows.map((row) => `${row.map(quoted).join(",")}\r\n`).join("");
          const found: string[][] = [];
          const chunks = (async function* () {
            for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
          })();
          for await (const { cells } of readCsv(chunks)) found.push([...cells]);
          expect(found).toEqual(rows);
        },
      ),
    );
  });
});

const spent = (day: string, seq: number, more: Partial<LedgerEntry> = {}): LedgerEntry => ({
  ...{ session: "s", seq, time: `${day}T12:00:00.000Z`, turn: 1, person: "", cwd: "/w", branch: "" },
  ...{ worker: "builtin", provider: "anthropic", model: "claude-sonnet-4-5" },
  ...{ input: 1_010, output: 305, cache_read: 4_000, cache_write: 250, thinking: 0 },
  ...{ cost_nanos: 50_000_000, price: "worker" },
  ...more,
});

const serverWith = (entries: readonly LedgerEntry[]) =>
  startServer({
    prepare: async (home) => {
      const store = await SqliteStore.open({ home, segmentBytes: 1_000, onWriteError: () => {} });
      await store.record(entries);
      await store.close();
    },
  });

describe("a reconciliation", () => {
  it("[U112] shows what differs by UTC day and model, what only one side has, and the totals", async () => {
    await using server = await serverWith([
      // In Berlin it is the 6th already.
      spent("2026-08-05", 1, { time: "2026-08-05T23:30:00.000Z" }),
      spent("2026-08-06", 2, { model: "claude-opus-4-5", cost_nanos: 7e9 }),
      spent("2026-08-06", 3, { provider: "openai", model: "gpt-5" }),
      spent("2026-08-07", 4),
    ]);
    const ask = async (body: string): Promise<Reconciliation> => {
      const response = await fetch(`${server.url}/api/costs/reconcile`, {
        method: "POST",
        headers: { authorization: `Bearer ${server.token}`, "content-type": "text/csv" },
        body,
      });
      expect(response.status).toBe(200);
      return ((await response.json()) as { reconciliation: Reconciliation }).reconciliation;
    };
    const usage = await ask(anthropicUsage);
    expect(usage).toMatchObject({ time_zone: "UTC", from: "2026-08-05", to: "2026-08-06", by_model: true });
    expect(
      usage.rows.map(({ day, model, state, difference }) => [day, model, state, difference.tokens]),
    ).toEqual([
      ["2026-08-06", "claude-haiku-4-5-20251001", "only_provider", 10],
      ["2026-08-06", "claude-opus-4-5", "only_ledger", -5_565],
      ["2026-08-05", "claude-sonnet-4-5-20250929", "equal", 0],
    ]);
    expect(usage.total).toMatchObject({
      provider: { tokens: { input: 1_017 }, cost_usd: null },
      ledger: { calls: 2, cost_usd: 7.05 },
      difference: { tokens: -5_555, cost_usd: null },
    });
    const cost = await ask(anthropicCost.replace("0.02,0.02", "0.2,0.2"));
    expect(cost.rows).toMatchObject([
      { model: "Claude Sonnet 4.5", state: "differs", difference: { tokens: null, cost_usd: 0.18 } },
    ]);
  });

  it("[U111] answers a file of another kind with 400 and a sentence", async () => {
    await using server = await serverWith([]);
    const response = await fetch(`${server.url}/api/costs/reconcile`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
      body: '{"rows":[]}',
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("no answer of a usage or cost API");
  });

  it("[U112] calls a cost equal that lies between the bounds of calls that were cut, and unequal outside of them", async () => {
    const exported = await read(anthropicCost);
    const usage = {
      ...{ calls: 2, input: 0, output: 0, cache_read: 0, cache_write: 0, thinking: 0 },
      ...{ cost_usd: 0.08, estimated: 1, low_usd: 0.04, high_usd: 0.1 },
    };
    const keys = { day: "2026-08-05", model: "claude-sonnet-4-5" };
    expect(compare(exported, [{ keys, usage }]).rows).toMatchObject([
      { state: "equal", difference: { cost_usd: -0.03 } },
    ]);
    expect(compare(exported, [{ keys, usage: { ...usage, low_usd: 0.06 } }]).rows).toMatchObject([
      { state: "differs" },
    ]);
  });

  it("[U112] compares only days where the file names no models", async () => {
    const exported = await read(JSON.stringify(anthropicCostPage));
    const usage = {
      ...{ calls: 1, input: 1, output: 1, cache_read: 0, cache_write: 0, thinking: 0 },
      cost_usd: 0.6,
    };
    const ledger = ["a", "b"].map((model) => ({ keys: { day: "2026-08-05", model }, usage }));
    expect(compare(exported, ledger)).toMatchObject({
      by_model: false,
      rows: [{ model: "", state: "differs", ledger: { cost_usd: 1.2 }, difference: { cost_usd: 0.0345 } }],
    });
  });

  it("[U112] knows a model by all of its names", () => {
    const same = [
      [
        "claude-sonnet-4-5-20250929",
        "Claude Sonnet 4.5",
        "anthropic/claude-sonnet-4-5",
        "claude-sonnet-4-5[1m]",
      ],
      ["claude-3-5-sonnet-20241022", "Claude Sonnet 3.5"],
      ["gpt-5-mini-2025-08-07", "gpt-5-mini"],
    ];
    for (const names of same) expect(new Set(names.map(modelKey)).size, names.join()).toBe(1);
    expect(modelKey("claude-sonnet-4-5")).not.toBe(modelKey("claude-sonnet-5-4"));
    expect(modelKey("gpt-4.1")).not.toBe(modelKey("gpt-4-1"));
  });
});
