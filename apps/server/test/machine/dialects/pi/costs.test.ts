// What calls and compactions of pi, omp and zot cost, where their lines report it and where they do not.
import { linesOf } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { zotDialect } from "../../../../src/machine/dialects/zot/dialect.ts";
import { noMachine } from "../no-machine.ts";
import { openHarness } from "./harness.ts";

const used = {
  input: 400,
  output: 130,
  cacheRead: 2000,
  cacheWrite: 0,
  cost: { total: 0.00375 },
};
const counted = { input: 400, output: 130, cache_read: 2000, cache_write: 0, cost_usd: 0.00375 };
const unknown = { input: 0, output: 0, cost_usd: 0, unpriced: 1, incomplete: true };

describe("what calls of pi and omp cost", () => {
  const answer = (usage: object) => ({
    type: "message_end",
    message: {
      role: "assistant",
      content: [{ type: "text", text: "Hello." }],
      provider: "router",
      model: "gate/way",
      stopReason: "stop",
      usage,
    },
  });

  it.each(["pi", "omp"] as const)("[O25] a call of %s is reported with its provider and model", (program) => {
    using harness = openHarness(program);
    harness.write({ type: "agent_start" }, answer(used));
    expect(harness.of("usage")).toMatchObject([{ ...counted, provider: "router", model: "gate/way" }]);
    expect(harness.of("usage")[0]).not.toHaveProperty("unpriced");
  });

  it.each(["pi", "omp"] as const)("[O26] tokens of %s that cost nothing have no known price", (program) => {
    using harness = openHarness(program);
    harness.write(
      { type: "agent_start" },
      answer({ ...used, cost: { total: 0 } }),
      answer({ ...used, cost: {} }),
    );
    const unpriced = { input: 400, cost_usd: 0, unpriced: 1 };
    expect(harness.of("usage")).toMatchObject([unpriced, { ...unpriced, cumulative: { unpriced: 2 } }]);
  });
});

describe("what compactions of pi and omp cost", () => {
  const types = (harness: ReturnType<typeof openHarness>) => harness.emitted.slice(1).map(({ type }) => type);
  const result = { summary: "All of it.", usage: used };

  it("[O24] is what its response reports", () => {
    using harness = openHarness("pi");
    harness.translation.toWorker({ type: "compact", id: "c" });
    harness.write({ type: "compaction_start", reason: "manual" });
    harness.write({ type: "compaction_end", reason: "manual", aborted: false, willRetry: false, result });
    harness.answer("compact", result);
    expect(types(harness)).toEqual(["usage", "compact_done", "done"]);
    expect(harness.of("usage")).toMatchObject([{ ...counted, purpose: "compaction", cumulative: counted }]);
  });

  it("[O24] is unpriced where the response does not report it", () => {
    using harness = openHarness("omp");
    harness.translation.toWorker({ type: "compact", id: "c" });
    harness.answer("compact", { summary: "All of it." });
    expect(types(harness)).toEqual(["usage", "compact_done", "done"]);
    expect(harness.of("usage")).toMatchObject([{ ...unknown, purpose: "compaction" }]);
  });

  it("[O24] is counted too when it was automatic, and not when there was none", () => {
    using harness = openHarness("omp");
    const start = { type: "auto_compaction_start", reason: "threshold" };
    const end = { type: "auto_compaction_end", aborted: false, willRetry: false };
    harness.write({ type: "agent_start" }, start, { ...end, result: { summary: "All of it." } });
    expect(harness.of("usage")).toMatchObject([{ ...unknown, purpose: "compaction" }]);
    harness.write(start, { ...end, result });
    expect(harness.of("usage")[1]).toMatchObject({ ...counted, purpose: "compaction" });
    harness.write(start, { ...end, aborted: true });
    expect(harness.of("usage")[2]).toMatchObject(unknown);
    harness.write(start, { ...end, skipped: true }, start, { ...end, errorMessage: "Nothing to compact" });
    expect(harness.of("usage")).toHaveLength(3);
  });

  it("[O27] an aborted one ends as aborted, and a failed one with the reason", () => {
    using harness = openHarness("pi");
    harness.translation.toWorker({ type: "compact", id: "c" });
    harness.translation.toWorker({ type: "abort", id: "a" });
    harness.refuse("compact", "Turn prefix summarization failed: This operation was aborted");
    harness.answer("abort");
    expect(types(harness)).toEqual(["usage", "error", "done", "response"]);
    expect(harness.of("usage")).toMatchObject([{ ...unknown, purpose: "compaction" }]);
    expect(harness.of("error")).toEqual([{ type: "error", message: "aborted" }]);
    harness.translation.toWorker({ type: "compact", id: "d" });
    harness.refuse("compact", "Already compacted");
    expect(harness.of("error")[1]).toEqual({ type: "error", message: "Already compacted" });
    expect(harness.of("usage")).toHaveLength(1);
  });
});

describe("what compactions of zot cost", () => {
  function openZot(hello: object) {
    const emitted: string[] = [];
    const translation = zotDialect.open({
      cwd: "/somewhere",
      environment: {},
      model: undefined,
      ...noMachine,
      send: () => {},
      emit: (run) => emitted.push(...[...linesOf(run)].map((line) => Buffer.from(line).toString())),
    });
    const write = (...lines: string[]) => translation.fromWorker(Buffer.from(`${lines.join("\n")}\n`));
    write(JSON.stringify({ type: "response", command: "hello", success: true, data: hello }));
    emitted.length = 0;
    return { emitted, write, compact: () => translation.toWorker({ type: "compact" }) };
  }
  const done = '{"summary":"All of it.", "type":"compact_done"}';
  const isUnknown = (line: string | undefined) =>
    expect(JSON.parse(line ?? "")).toMatchObject({ type: "usage", ...unknown, purpose: "compaction" });

  it("[O28] is unpriced, in a line of its own before the end; every other line stays as it was", () => {
    const { emitted, write, compact } = openZot({ version: "0.1.62" });
    const lines = ['{"delta":"a",  "type":"ext_display"}', done, '{"type":"text_delta","delta":"b"}'];
    write(...lines);
    expect(emitted.splice(0)).toEqual(lines);
    compact();
    write(...lines);
    isUnknown(emitted.splice(1, 1)[0]);
    expect(emitted.splice(0)).toEqual(lines);
    compact();
    write('{"command":"abort","success":true,"type":"response"}');
    isUnknown(emitted.shift());
    expect(emitted.splice(0)).toHaveLength(1);
    compact();
    write('{"message":"nothing to compact","type":"error"}', done);
    expect(emitted).toHaveLength(2);
  });

  it("[O28] is left to a worker that reports it", () => {
    const builtin = openZot({ capabilities: ["compact"] });
    builtin.compact();
    builtin.write(done);
    expect(builtin.emitted).toEqual([done]);
    const newer = openZot({ version: "9" });
    newer.compact();
    newer.write('{"cost_usd":1,"type":"usage"}', done);
    expect(newer.emitted).toHaveLength(2);
  });
});
