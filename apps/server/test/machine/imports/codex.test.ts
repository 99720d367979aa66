// Costs of Codex: sums that become calls, whatever is copied, forked, compacted or compressed.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CostImport, ImportedSums } from "@patchbay/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importCosts } from "../../../src/costs/imports/import-costs.ts";
import { readCodexRow } from "../../../src/machine/imports/formats/codex-rows.ts";
import { initialState } from "../../../src/machine/imports/formats/recorded-call.ts";
import { localImports } from "../../../src/machine/local-machine.ts";
import type { Store } from "../../../src/store/store.ts";
import { openStore } from "../../support/open-store.ts";
import { Outside, prices } from "./outside.ts";

const run = (store: Store, outside: Outside) =>
  importCosts({ store, imports: localImports(outside.environment), prices, dryRun: false });

const of = (report: CostImport, program: string): Partial<ImportedSums> =>
  report.programs.find((sums) => sums.program === program) ?? {};

const total = async (store: Store) => (await store.queryLedger({ groupBy: [] }))[0]?.usage;

describe("Codex", () => {
  it("[Y63] sums become calls, a repeated sum is none, and what a fork copies is counted once", async () => {
    using outside = new Outside();
    await using opened = await openStore();
    outside.record("codex", "first");
    expect(of(await run(opened.store, outside), "codex")).toMatchObject({
      files: 1,
      added: 3,
      cost_usd: 0.005442,
    });
    expect(await total(opened.store)).toMatchObject({
      input: 2504,
      cache_read: 4096,
      output: 180,
      thinking: 50,
    });
    outside.record("codex", "fork");
    expect(of(await run(opened.store, outside), "codex")).toMatchObject({
      added: 1,
      known: 2,
      cost_usd: 0.000915,
    });
    const rows = await opened.store.queryLedger({
      groupBy: ["session", "provider", "model", "cwd", "branch"],
    });
    expect(rows.map(({ keys, usage }) => [keys, usage.calls])).toEqual([
      [
        expect.objectContaining({ provider: "openai", model: "gpt-5", cwd: outside.project, branch: "main" }),
        3,
      ],
      [expect.objectContaining({ session: "codex:0198d3b4-1c02-7f10-8a55-6b1d3e77f002" }), 1],
    ]);
    const turns = await opened.store.expensiveTurns({ where: { worker: "codex (imported)" } }, 10);
    expect(turns.map(({ turn, usage }) => `${turn}: ${usage.calls}`).toSorted()).toEqual([
      "1: 2",
      "2: 1",
      "2: 1",
    ]);
  });

  it("[Y63] a fork that refers to another file counts its own calls only, and a sum that begins again counts on", async () => {
    using outside = new Outside();
    await using opened = await openStore();
    const usage = (input: number, output: number) => ({ input_tokens: input, output_tokens: output });
    const row = (type: string, payload: object) =>
      `${JSON.stringify({ timestamp: "2026-08-20T10:00:00.000Z", type, payload })}\n`;
    const counted = (sum: object, last?: object) =>
      row("event_msg", { type: "token_count", info: { total_token_usage: sum, last_token_usage: last } });
    const text = [
      row("session_meta", { id: "child", cwd: "/c" }),
      row("turn_context", { model: "gpt-5", cwd: "/c", turn_id: "t1" }),
      row("event_msg", { type: "token_count", info: null }),
      counted(usage(1_000_100, 5_010), usage(100, 10)),
      counted(usage(1_000_300, 5_030)),
      counted({ input_tokens: 0, total_tokens: 272_000 }, { input_tokens: 0, total_tokens: 5 }),
      counted(usage(70, 7), usage(70, 7)),
    ];
    outside.write("codex", "child", text.join(""));
    expect(of(await run(opened.store, outside), "codex")).toMatchObject({ added: 3, unreadable: 0 });
    expect(await total(opened.store)).toMatchObject({ input: 370, output: 37 });
  });

  const meta = (id: string, from?: string) => ({
    type: "session_meta",
    payload: { id, cwd: "/c", ...(from === undefined ? {} : { forked_from_id: from }) },
  });
  const started = (turn_id: string) => ({ type: "event_msg", payload: { type: "task_started", turn_id } });
  const context = (turn_id: string) => ({ type: "turn_context", payload: { model: "gpt-5", turn_id } });
  const answered = { type: "response_item", payload: { type: "message", role: "assistant", content: [] } };
  const sum = (total: number, last: number) => ({
    type: "event_msg",
    payload: {
      type: "token_count",
      info: {
        total_token_usage: { input_tokens: total, output_tokens: total },
        last_token_usage: { input_tokens: last, output_tokens: last },
      },
    },
  });
  const rows = (...given: object[]) =>
    given.map((row) => `${JSON.stringify({ timestamp: "2026-08-20T10:00:00.000Z", ...row })}\n`).join("");
  const turns = [
    "0198d3a1-6000-7000-8000-000000000001",
    "0198d3a1-6000-7000-8000-000000000002",
    "0198d3b4-6000-7000-8000-000000000003",
  ] as const;

  it("[Y63] a subagent that copies only the last turns counts its own calls only, in any order of the files", async () => {
    const [first, second, own] = turns;
    const parent = rows(
      ...[meta("parent"), started(first), context(first), answered, sum(100, 100)],
      ...[started(second), context(second), answered, sum(130, 30), answered, sum(150, 20)],
    );
    // The parent's head and contexts are left out, the rest has new times.
    const child = rows(
      ...[meta("child", "parent"), started(second), answered, sum(130, 30), answered, sum(150, 20)],
      ...[started(own), context(own), answered, sum(157, 7)],
    );
    for (const [one, other] of [
      [parent, child],
      [child, parent],
    ] as const) {
      using outside = new Outside();
      await using opened = await openStore();
      outside.write("codex", "1", one);
      outside.write("codex", "2", other);
      await run(opened.store, outside);
      expect(await total(opened.store)).toMatchObject({ calls: 4, input: 157, output: 157 });
      const models = await opened.store.queryLedger({ groupBy: ["model"] });
      expect(models.map(({ keys, usage }) => [keys.model, usage.unpriced])).toEqual([["gpt-5", undefined]]);
    }
  });

  it("[Y63] a fork that repeats the sum of the file to which it refers has not made that call", async () => {
    using outside = new Outside();
    await using opened = await openStore();
    const [first, , own] = turns;
    outside.write(
      "codex",
      "1",
      rows(meta("parent"), started(first), context(first), answered, sum(100, 100)),
    );
    const child = [meta("child", "parent"), started(own), context(own), sum(100, 100)];
    outside.write("codex", "2", rows(...child));
    expect(of(await run(opened.store, outside), "codex")).toMatchObject({ added: 1 });
    outside.write("codex", "2", rows(...child, answered, sum(130, 30)));
    expect(of(await run(opened.store, outside), "codex")).toMatchObject({ added: 1 });
    expect(await total(opened.store)).toMatchObject({ calls: 2, input: 130 });
  });

  it("[Y63] turns that are only numbered are told apart by their session", async () => {
    using outside = new Outside();
    await using opened = await openStore();
    for (const id of ["a", "b"])
      outside.write("codex", id, rows(meta(id), started("1"), context("1"), answered, sum(100, 100)));
    expect(of(await run(opened.store, outside), "codex")).toMatchObject({ added: 2 });
  });

  it("[Y63] whatever is forked, in whichever way and order, gives the sum of the calls there were", () => {
    const uuid = (n: number) => `0198d3a1-6000-7000-8000-${String(n).padStart(12, "0")}`;
    const Session = fc.record({
      /** Of which of the sessions before it is a fork, and how. */
      from: fc.option(fc.nat({ max: 5 }), { nil: null }),
      how: fc.constantFrom("copy" as const, "last turns" as const, "reference" as const),
      turns: fc.array(fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 3 }), {
        maxLength: 3,
      }),
      isRepeating: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(Session, { minLength: 1, maxLength: 6 }), fc.boolean(), (sessions, reversed) => {
        const files: { head: object[]; turns: object[][]; total: number }[] = [];
        let truth = 0;
        let calls = 0;
        let turn = 0;
        for (const [index, { from, how, turns: made, isRepeating }] of sessions.entries()) {
          const parent = from === null ? undefined : files[from % Math.max(1, index)];
          const head: object[] = [meta(`s${index}`, parent === undefined ? undefined : "parent")];
          const inherited = parent?.turns ?? [];
          const copied = how === "copy" ? inherited : how === "last turns" ? inherited.slice(-1) : [];
          if (how === "copy") head.push(...(parent?.head ?? []));
          const isCopied = (row: object) => how === "copy" || !("type" in row && row.type === "turn_context");
          const file = {
            head,
            turns: copied.map((rows) => rows.filter(isCopied)),
            total: parent?.total ?? 0,
          };
          for (const amounts of made) {
            const id = uuid(++turn);
            const written: object[] = [started(id), context(id)];
            for (const amount of amounts) {
              // The limits of the plan are told before the first answer, with the sum so far.
              if (isRepeating && file.total > 0) written.push(sum(file.total, 1));
              file.total += amount;
              truth += amount;
              calls++;
              written.push(answered, sum(file.total, amount));
              if (isRepeating) written.push(sum(file.total, amount));
            }
            file.turns.push(written);
          }
          files.push(file);
        }
        const found = new Map<string, number>();
        for (const { head, turns: all } of reversed ? files.toReversed() : files) {
          let state = initialState;
          for (const row of [...head, ...all.flat()]) {
            const read = readCodexRow(state, { timestamp: "2026-08-20T10:00:00.000Z", ...row });
            if (read === null) throw new Error("a row cannot be read");
            ({ state } = read);
            if (read.call !== undefined) found.set(read.call.call, read.call.input);
          }
        }
        expect([found.size, [...found.values()].reduce((a, b) => a + b, 0)]).toEqual([calls, truth]);
      }),
      { numRuns: 500 },
    );
  });

  it("[Y67] a compaction is a call: with its sum, or of unknown cost where OpenAI's endpoint made it", async () => {
    using outside = new Outside();
    await using opened = await openStore();
    const [first, second] = turns;
    const compacted = (message: string) => ({
      type: "compacted",
      payload: { message, replacement_history: [] },
    });
    const estimate = sum(130, 0);
    const text = rows(
      ...[meta("s"), started(first), context(first), answered, sum(100, 100), sum(130, 30)],
      ...[compacted("Another language model started to solve this problem."), estimate],
      ...[started(second), context(second), compacted(""), estimate, answered, sum(150, 20)],
    );
    for (const copy of ["1", "2"]) outside.write("codex", copy, text);
    expect(of(await run(opened.store, outside), "codex")).toMatchObject({ added: 4, known: 4, unpriced: 1 });
    expect(await total(opened.store)).toMatchObject({ calls: 4, input: 150, unpriced: 1 });
  });

  it("[Y68] a compressed file is read, or named as one that this Node cannot read", async () => {
    using outside = new Outside();
    await using opened = await openStore();
    const zlib = await import("node:zlib");
    const compress: unknown = Reflect.get(zlib, "zstdCompressSync");
    const text = readFileSync(
      join(import.meta.dirname, "../../../../../testing/session-files/codex/first.jsonl"),
    );
    const path = join(outside.home, ".codex/archived_sessions/rollout-old.jsonl.zst");
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, typeof compress === "function" ? compress(text) : text);
    const report = await run(opened.store, outside);
    if (typeof compress === "function") expect(of(report, "codex")).toMatchObject({ added: 3 });
    else expect(report.problems).toEqual([{ path, problem: expect.stringContaining("it is compressed") }]);
  });
});
