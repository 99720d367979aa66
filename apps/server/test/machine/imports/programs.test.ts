// Costs of Gemini CLI and opencode, of subagents and of summaries: each format's own ways to repeat and split. Codex has its own file.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import type { CostImport, ImportedSums } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { importCosts } from "../../../src/costs/imports/import-costs.ts";
import { piSummaryKey } from "../../../src/machine/dialects/pi/wire/call-key.ts";
import { sessionFrames } from "../../../src/machine/imports/session-frames.ts";
import { localImports } from "../../../src/machine/local-machine.ts";
import type { LedgerEntry } from "../../../src/store/ledger-types.ts";
import type { Store } from "../../../src/store/store.ts";
import { openStore } from "../../support/open-store.ts";
import { Outside, prices } from "./outside.ts";

const run = (store: Store, outside: Outside, options: { dryRun?: boolean } = {}) =>
  importCosts({ store, imports: localImports(outside.environment), prices, dryRun: false, ...options });

const of = (report: CostImport, program: string): Partial<ImportedSums> =>
  report.programs.find((sums) => sums.program === program) ?? {};

const total = async (store: Store) => (await store.queryLedger({ groupBy: [] }))[0]?.usage;

describe("Claude Code", () => {
  const answer = (id: string, request: string | undefined, output = 10): string =>
    `${JSON.stringify({ type: "assistant", sessionId: "s", cwd: "/c", timestamp: "2026-01-01T00:00:00Z", ...(request === undefined ? {} : { requestId: request }), message: { id, model: "claude-x", usage: { input_tokens: 10, output_tokens: output } } })}\n`;

  it("[Y60] subagents are found at any depth below their session", async () => {
    using outside = new Outside();
    await using opened = await openStore();
    const session = ".claude/projects/-work-project/5b0e";
    outside.write("claude", "5b0e", answer("m1", "r1"));
    outside.writeFile(`${session}/subagents/agent-1.jsonl`, answer("m2", "r2"));
    outside.writeFile(`${session}/subagents/workflows/wf_1/agent-2.jsonl`, answer("m3", "r3"));
    outside.writeFile(
      `${session}/subagents/workflows/wf_1/subagents/workflows/wf_2/agent-3.jsonl`,
      answer("m4", "r4"),
    );
    expect(of(await run(opened.store, outside), "claude")).toMatchObject({ files: 4, added: 4 });
    expect(
      (await opened.store.queryLedger({ groupBy: ["session"] })).map(({ keys }) => keys.session),
    ).toEqual(["claude:s"]);
  });

  it("[Y61] a message is one call, with whichever request id a copy has, or without", async () => {
    using outside = new Outside();
    await using opened = await openStore();
    outside.write("claude", "a", answer("m1", "r1") + answer("m1", undefined, 12));
    outside.write("claude", "b", answer("m1", "another", 3) + answer("m2", undefined));
    outside.write("claude", "c", answer("m2", "r2"));
    expect(of(await run(opened.store, outside), "claude")).toMatchObject({ added: 2 });
    expect(await total(opened.store)).toMatchObject({ calls: 2, output: 22 });
  });

  it("[Y61] what an earlier version counted twice is one call after the next import", async () => {
    using outside = new Outside();
    await using opened = await openStore();
    const { createHash } = await import("node:crypto");
    const former = (...fields: string[]) =>
      createHash("sha256")
        .update(JSON.stringify(["claude", ...fields]))
        .digest("hex")
        .slice(0, 32);
    const entry = (call: string, output: number) => ({
      ...{
        session: "claude:s",
        time: "2026-01-01T00:00:00.000Z",
        turn: 0,
        person: "",
        cwd: "/c",
        branch: "",
      },
      ...{ worker: "claude (imported)", provider: "anthropic", model: "claude-x" },
      ...{
        input: 10,
        output,
        cache_read: 0,
        cache_write: 0,
        thinking: 0,
        cost_nanos: 7_000,
        price: "worker" as const,
        call,
      },
    });
    await opened.store.recordImported([entry(former("m1", "r1"), 10), entry(former("m1", ""), 12)]);
    await opened.store.recordImported([entry(former("m2", "r2"), 10)]);
    expect(await total(opened.store)).toMatchObject({ calls: 3 });
    outside.write("claude", "a", answer("m1", "r1") + answer("m2", "r2"));
    const report = of(await run(opened.store, outside), "claude");
    expect(report).toMatchObject({ added: 0, changed: 2 });
    expect(await total(opened.store)).toMatchObject({ calls: 2, output: 22, cost_usd: 0.000007 });
    // The fuller copy comes first, and another copy has the id under which the call was recorded.
    await opened.store.recordImported([entry(former("m3", "r3"), 5)]);
    outside.write("claude", "c", answer("m3", "r4", 9) + answer("m3", "r3", 5));
    expect(of(await run(opened.store, outside), "claude")).toMatchObject({ added: 0, changed: 1 });
    expect(await total(opened.store)).toMatchObject({ calls: 3, output: 31 });
    outside.write("claude", "b", answer("m1", undefined) + answer("m2", undefined));
    expect(of(await run(opened.store, outside), "claude")).toMatchObject({ added: 0, changed: 0, known: 2 });
  });
});

describe("pi", () => {
  it("[Y62] summaries of compactions and branches, tools that ask a model and other calls are counted where the file tells their usage", async () => {
    using outside = new Outside();
    await using opened = await openStore();
    outside.record("pi", "summaries");
    expect(of(await run(opened.store, outside), "pi")).toMatchObject({
      added: 6,
      cost_usd: 0.01665,
      unreadable: 0,
    });
    const models = await opened.store.queryLedger({ groupBy: ["provider", "model"] });
    expect(models.map(({ keys }) => keys)).toEqual([{ provider: "fake", model: "fake-chat" }]);
  });

  it("[Y62] a compaction that Patchbay relayed is not counted again", async () => {
    using outside = new Outside();
    await using opened = await openStore();
    outside.record("pi", "summaries");
    await opened.store.record([
      {
        ...{
          session: "ours",
          seq: 1,
          time: "2026-11-16T15:00:05.000Z",
          turn: 1,
          person: "",
          cwd: "/",
          branch: "",
        },
        ...{ worker: "pi", provider: "fake", model: "fake-chat", cost_nanos: 7_500_000, price: "worker" },
        ...{ input: 1500, output: 200, cache_read: 0, cache_write: 0, thinking: 0 },
        call: piSummaryKey("## Goal\nTo greet at length.", "c0000003"),
      },
    ]);
    expect(of(await run(opened.store, outside), "pi")).toMatchObject({ added: 5, known: 1 });
    expect(await total(opened.store)).toMatchObject({ calls: 6, cost_usd: 0.01665 });
  });
});

describe("pi before 1 and omp", () => {
  const row = (value: object) => `${JSON.stringify({ timestamp: "2026-11-16T15:00:05.000Z", ...value })}\n`;
  const head = row({ type: "session", id: "s", cwd: "/c" });
  const summary = (type: string, text: string, more: object = {}) =>
    row({ type, id: text, summary: text, firstKeptEntryId: "e1", tokensBefore: 9_000, ...more });

  it("[Y67] a summary whose usage the file does not tell is a call of unknown cost, once in all copies, and none if an extension wrote it", async () => {
    using outside = new Outside();
    await using opened = await openStore();
    const text =
      head +
      summary("compaction", "one") +
      summary("compaction", "two", { fromHook: true }) +
      summary("compaction", "three", { fromExtension: true }) +
      summary("branch_summary", "four", { firstKeptEntryId: undefined, fromId: "e2" });
    for (const name of ["a", "b"]) outside.write("pi", name, text);
    outside.write("omp", "a", head + summary("compaction", "five"));
    const report = await run(opened.store, outside);
    expect(of(report, "pi")).toMatchObject({ added: 2, known: 2, cost_usd: 0, unpriced: 2, unreadable: 0 });
    expect(of(report, "omp")).toMatchObject({ added: 1, unpriced: 1 });
    // The same text about another part of a conversation is another call.
    outside.write("pi", "c", head + summary("compaction", "one", { firstKeptEntryId: "e7" }));
    expect(of(await run(opened.store, outside), "pi")).toMatchObject({ added: 1 });
    expect(await total(opened.store)).toMatchObject({ calls: 4, unpriced: 4, cost_usd: 0 });
  });

  it("[Y62] a compaction that an earlier version relayed without an id is not counted again", async () => {
    using outside = new Outside();
    await using opened = await openStore();
    const relayed = (seq: number, time: string, input: number): LedgerEntry => ({
      ...{ session: "ours", seq, time, turn: 1, person: "", cwd: "/", branch: "", worker: "pi" },
      ...{
        provider: "fake",
        model: "m",
        input,
        output: input / 5,
        cache_read: 0,
        cache_write: 0,
        thinking: 0,
      },
      ...{ cost_nanos: input * 1_000, price: input === 0 ? "incomplete" : "worker" },
    });
    await opened.store.record([
      relayed(1, "2026-11-16T15:00:05.090Z", 0),
      relayed(2, "2026-11-16T15:00:05.200Z", 500),
      relayed(3, "2026-11-16T15:30:00.000Z", 600),
    ]);
    const usage = (input: number) => ({
      usage: { input, output: input / 5, cacheRead: 0, cacheWrite: 0, cost: { total: 0.01 } },
    });
    outside.write(
      "pi",
      "a",
      head +
        summary("compaction", "unknown") +
        summary("compaction", "known", usage(500)) +
        summary("compaction", "at another time", usage(600)),
    );
    expect(of(await run(opened.store, outside), "pi")).toMatchObject({ added: 1, known: 2 });
    expect(await total(opened.store)).toMatchObject({ calls: 4 });
  });

  it("[Y51] a summary with its usage is still a summary for whoever continues the session", async () => {
    using outside = new Outside();
    outside.record("pi", "summaries");
    const items: object[] = [];
    for await (const batch of sessionFrames("pi", outside.path("pi", "summaries"), { entryIds: false }))
      items.push(...batch.items);
    const text = JSON.stringify(items);
    expect(text).toContain(
      '{"type":"ext_display","extension":"summary of a branch","text":"A greeting was tried."}',
    );
    expect(text).toContain('"cost_usd":0.00135');
    outside.write(
      "pi",
      "a",
      head + summary("compaction", "so far", { usage: { input: 7, output: 1, cacheRead: 0, cacheWrite: 0 } }),
    );
    const compacted: object[] = [];
    for await (const batch of sessionFrames("pi", outside.path("pi", "a"), { entryIds: false }))
      compacted.push(...batch.items);
    expect(compacted).toMatchObject([
      { call: { input: 7 } },
      { frame: { type: "compact_done", summary: "so far" } },
    ]);
  });
});

describe("Gemini CLI", () => {
  it("[Y64] each answer is a call, in the file of either version, with cached tokens, thoughts and tools told apart", async () => {
    using outside = new Outside();
    await using opened = await openStore();
    outside.writeFile(".gemini/tmp/project/.project_root", outside.project);
    const earlier = readFileSync(
      join(import.meta.dirname, "../../../../../testing/session-files/gemini/earlier.json"),
      "utf8",
    );
    outside.writeFile(".gemini/tmp/project/chats/session-first.json", earlier);
    outside.writeFile(".gemini/tmp/project/logs.json", "[]");
    expect(of(await run(opened.store, outside), "gemini")).toMatchObject({
      files: 1,
      added: 2,
      cost_usd: 0.001377,
      unreadable: 0,
    });
    outside.record("gemini", "first"); // resumed: the messages are copied, and others follow
    expect(of(await run(opened.store, outside), "gemini")).toMatchObject({
      files: 2,
      added: 2,
      known: 2,
      unreadable: 0,
    });
    expect(of(await run(opened.store, outside), "gemini")).toMatchObject({ added: 0, changed: 0, known: 0 });
    const [row] = await opened.store.queryLedger({ groupBy: ["session", "provider", "model", "cwd"] });
    expect(row?.keys).toEqual({
      session: "gemini:7d3c1f0e-5a6b-4c8d-9e0f-112233445566",
      provider: "google",
      model: "gemini-2.5-flash",
      cwd: outside.project,
    });
    expect(row?.usage).toMatchObject({
      calls: 4,
      input: 3710,
      cache_read: 8800,
      output: 146,
      thinking: 60,
      cost_usd: 0.001742,
    });
  });
});

describe("opencode", () => {
  const sums = {
    calls: 4,
    input: 51,
    output: 120,
    cache_read: 15200,
    cache_write: 5190,
    thinking: 5,
    cost_usd: 0.0259755,
  };

  it("[Y65] messages are calls, in files or in the database, with what they had cost; a fork's copies are counted once", async () => {
    using outside = new Outside();
    await using opened = await openStore();
    const [first, fork] = [outside.opencode("first"), outside.opencode("fork")];
    outside.writeOpencodeFiles(first);
    outside.writeOpencodeFiles(fork);
    expect(of(await run(opened.store, outside), "opencode")).toMatchObject({
      files: 2,
      added: 4,
      known: 2,
      unreadable: 0,
    });
    expect(await total(opened.store)).toMatchObject(sums);
    expect(of(await run(opened.store, outside), "opencode")).toMatchObject({ added: 0, known: 0 });
    // The next version moves them to its database, which it has open.
    const database = outside.writeOpencodeDatabase(first);
    outside.writeOpencodeDatabase(fork).close();
    expect(of(await run(opened.store, outside), "opencode")).toMatchObject({ files: 3, added: 0, known: 4 });
    const later = {
      ...first.messages[4],
      id: "msg_06",
      time: { created: 1787227300000, completed: 1787227301000 },
    };
    outside
      .writeOpencodeDatabase({ ...first, messages: [{ ...later, sessionID: first.session.id }], parts: [] })
      .close();
    expect(of(await run(opened.store, outside), "opencode")).toMatchObject({ added: 1 });
    database.close();
    expect(await total(opened.store)).toMatchObject({ calls: 5 });
    const rows = await opened.store.queryLedger({ groupBy: ["session", "provider", "model", "cwd"] });
    expect(rows.map(({ keys, usage }) => [keys.session, usage.calls])).toEqual([
      [`opencode:${fork.session.id}`, 1],
      [`opencode:${first.session.id}`, 4],
    ]);
  });

  it("[Y65] a message that was read while it was written is counted once", async () => {
    using outside = new Outside();
    await using opened = await openStore();
    const whole = outside.opencode("first");
    const [prompt, answer] = whole.messages;
    if (prompt === undefined || answer === undefined) throw new Error("no messages");
    const running = { ...answer, time: { created: answer.time.created } };
    outside.writeOpencodeFiles({ ...whole, messages: [prompt, running], parts: [] });
    expect(of(await run(opened.store, outside), "opencode")).toMatchObject({ added: 1 });
    outside.writeOpencodeFiles(whole);
    expect(of(await run(opened.store, outside), "opencode")).toMatchObject({ added: 2, changed: 1 });
    expect(await total(opened.store)).toMatchObject({ calls: 3 });
  });
});

describe("opencode before 0.8", () => {
  it("[Y65] a message of several calls has their cost, or is of unknown cost: it tells the tokens of the last call only", async () => {
    using outside = new Outside();
    await using opened = await openStore();
    const whole = outside.opencode("first");
    const [prompt, one, two] = whole.messages;
    if (prompt === undefined || one === undefined || two === undefined) throw new Error("no messages");
    const { parentID: _one, ...priced } = one;
    const { parentID: _two, ...unpriced } = two;
    const messages = [
      prompt,
      priced,
      { ...unpriced, id: two.id, sessionID: two.sessionID, time: two.time, cost: 0 },
    ];
    outside.writeOpencodeFiles({
      ...whole,
      messages: messages.map((message) => ({ ...prompt, ...message })),
      parts: [],
    });
    expect(of(await run(opened.store, outside), "opencode")).toMatchObject({
      added: 2,
      unpriced: 1,
      cost_usd: 0.01938,
    });
  });
});

describe("hostile files", () => {
  it("[Y66] no file of any format ends or blocks an import, and the others are still read", async () => {
    using outside = new Outside();
    await using opened = await openStore();
    outside.record("codex", "first");
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const odd = [
      ...[
        "null",
        "[]",
        "7",
        '"x"',
        "{",
        deep,
        '{"type":{}}',
        '{"type":"event_msg"}',
        '{"type":"event_msg","payload":null}',
      ],
      '{"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":[]}}}',
      '{"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":1e300}}}}',
      '{"type":"session_meta","payload":{"id":7}}',
    ];
    outside.write("codex", "odd", odd.join("\n"));
    outside.write(
      "gemini",
      "odd",
      `${odd.join("\n")}\n{"id":"x","type":"gemini","tokens":{"input":-1,"output":"x"}}\n`,
    );
    outside.writeFile(".gemini/tmp/project/chats/session-deep.json", deep);
    outside.writeFile(
      ".gemini/tmp/project/chats/session-list.json",
      '{"sessionId":"s","messages":[null,7,{}]}',
    );
    const share = ".local/share/opencode";
    outside.writeFile(`${share}/opencode.db`, "SQLite format 3\0 and then garbage".repeat(1_000));
    outside.writeFile(`${share}/opencode-empty.db`, "");
    outside.writeFile(`${share}/storage/message/ses_1/msg_1.json`, deep);
    outside.writeFile(
      `${share}/storage/message/ses_1/msg_2.json`,
      '{"role":"assistant","sessionID":"s","time":7}',
    );
    mkdirSync(join(outside.home, `${share}/opencode-directory.db`));
    symlinkSync("/dev/zero", join(outside.home, `${share}/opencode-link.db`));
    symlinkSync("/dev/zero", join(outside.home, ".gemini/tmp/project/.project_root"));
    symlinkSync("/dev", join(outside.home, `${share}/storage/message/ses_2`));
    for (const fifo of [".codex/sessions/2026/08/20/rollout-fifo.jsonl", `${share}/opencode-fifo.db`])
      expect(spawnSync("mkfifo", [join(outside.home, fifo)]).status).toBe(0);
    const report = await run(opened.store, outside);
    expect(report.state).toBe("done");
    expect(of(report, "codex")).toMatchObject({ files: 2, added: 3, unreadable: 11 });
    expect(of(report, "gemini")).toMatchObject({ files: 3, added: 0 });
    expect(of(report, "opencode")).toMatchObject({ files: 3, added: 0, unreadable: 2 });
    expect(report.problems.map(({ path }) => path)).toEqual([join(outside.home, share, "opencode.db")]);
  });

  it("[Y66] files and ids beyond all bounds are reported or cut, not loaded", async () => {
    using outside = new Outside();
    await using opened = await openStore();
    const huge = join(outside.home, ".gemini/tmp/project/chats/session-huge.json");
    outside.writeFile(huge, "{");
    truncateSync(huge, 80 * 1024 ** 2); // sparse: it takes no space
    const message = join(outside.home, ".local/share/opencode/storage/message/ses_1/msg_1.json");
    outside.writeFile(message, "{");
    truncateSync(message, 80 * 1024 ** 2);
    const whole = outside.opencode("first");
    const [, answer] = whole.messages;
    if (answer === undefined) throw new Error("no messages");
    const long = { ...answer, id: "m".repeat(5_000_000), sessionID: "s".repeat(5_000_000) };
    outside.writeOpencodeDatabase({ ...whole, messages: [answer, long], parts: [] }).close();
    const report = await run(opened.store, outside);
    expect(report.problems).toEqual([{ path: huge, problem: "it is larger than 64 MB" }]);
    expect(of(report, "opencode")).toMatchObject({ files: 2, added: 1, unreadable: 1 });
    const [row] = await opened.store.queryLedger({ groupBy: ["session"] });
    expect(row?.keys.session?.length).toBeLessThan(300);
  });

  it("[Y66] of a database only plain tables are read: a view or a computed column could run any query", async () => {
    using outside = new Outside();
    await using opened = await openStore();
    const path = join(outside.home, ".local/share/opencode/opencode.db");
    const endless =
      "with recursive n(i) as (select 1 union all select i + 1 from n) select i as rowid, 'm' as id from n";
    for (const message of [
      `create view message as ${endless}`,
      "create table message (id, session_id, time_created, time_updated, data as (hex(zeroblob(400000000))) virtual)",
      "create table message (id)",
    ]) {
      rmSync(path, { force: true });
      const database = outside.writeOpencodeDatabase({
        ...outside.opencode("first"),
        messages: [],
        parts: [],
      });
      database.exec(`drop table message; ${message}`);
      database.close();
      expect((await run(opened.store, outside)).state).toBe("done");
    }
    expect(await total(opened.store)).toBeUndefined();
  });
});
