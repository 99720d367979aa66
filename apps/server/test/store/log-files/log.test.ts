// The contract of a session's log. Every store runs this suite; today there is one.
import { appendFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LogChunk, SessionLog } from "../../../src/store/session-log.ts";
import { append, lines, openStore } from "../../support/open-store.ts";

const text = (chunks: LogChunk[]): string =>
  chunks.map((chunk) => Buffer.from(chunk.bytes).toString()).join("");

/** Everything after `after`, checking that the numbers follow one another. */
async function readAll(log: SessionLog, after: number, maxBytes = 500): Promise<string[]> {
  const found: string[] = [];
  for (let at = after; ; ) {
    const chunks = await log.read(at, maxBytes);
    if (chunks.length === 0) return found;
    for (const chunk of chunks) {
      expect(chunk.seq).toBe(at + 1);
      const texts = Buffer.from(chunk.bytes).toString().trimEnd().split("\n");
      expect(texts).toHaveLength(chunk.count);
      found.push(...texts);
      at += chunk.count;
    }
  }
}

async function history(log: SessionLog): Promise<string> {
  let found = "";
  for await (const { bytes } of log.history()) found += Buffer.from(bytes).toString();
  return found;
}

describe("log", () => {
  it("[T3] numbers go up by one across restarts, and what was appended is read back from any number", async () => {
    await using opened = await openStore();
    const written = Array.from(
      { length: 200 },
      (_, index) => `{"n":${index},"x":"${"é".repeat(index % 40)}"}`,
    );
    let log = await (await opened.store.claim("a")).openLog();
    for (const part of [written.slice(0, 50), written.slice(50, 120), written.slice(120)]) {
      await append(log, ...part);
      await log.settle();
      await log.close();
      log = await (await (await opened.reopen()).claim("a")).openLog();
    }
    expect(log.seq).toBe(200);
    for (let after = log.replayFloor; after <= 200; after += 7)
      expect(await readAll(log, after)).toEqual(written.slice(after));
    await log.close();
  });

  it("[T4] an append is readable when it has resolved, and not cut by a limit smaller than a line", async () => {
    await using opened = await openStore();
    const log = await (await opened.store.claim("a")).openLog();
    const long = `{"x":"${"y".repeat(300_000)}"}`;
    await append(log, "{}", long, "{}");
    expect(await readAll(log, 0, 10)).toEqual(["{}", long, "{}"]);
    expect(text(await log.read(3, 10))).toBe("");
    await log.close();
  });

  it("[T5] a line that was never finished (a power cut) is cut off, and its number is free again", async () => {
    await using opened = await openStore();
    const log = await (await opened.store.claim("a")).openLog();
    await append(log, '{"n":1}', '{"n":2}');
    await log.close();
    const directory = join(opened.home, "sessions", "a");
    appendFileSync(join(directory, readdirSync(directory)[0] ?? ""), '{"n":3,"torn');
    const again = await (await (await opened.reopen()).claim("a")).openLog();
    expect(again.seq).toBe(2);
    await append(again, '{"n":"3 again"}');
    expect(await readAll(again, 0)).toEqual(['{"n":1}', '{"n":2}', '{"n":"3 again"}']);
    await again.close();
  });

  const delta = (word: string): string => `{"type":"text_delta","delta":"${word}"}`;
  const turn = (word: string): string[] => [
    '{"type":"turn_start","step":1}',
    ...Array.from({ length: 40 }, () => delta(word)),
    `{"type":"assistant_message","content":[{"type":"text","text":"${word}"}],"time":"t"}`,
    '{"type":"turn_end","stop":"end"}',
    '{"type":"done"}',
  ];

  it("[T6] finished turns lose their deltas when they are too old to replay; unanswered ones keep them", async () => {
    await using opened = await openStore();
    const log = await (await opened.store.claim("a")).openLog();
    const aborted = [
      '{"type":"turn_start","step":1}',
      delta("unkept"),
      '{"type":"turn_end","stop":"aborted"}',
      '{"type":"done"}',
    ];
    await append(log, ...turn("one"), ...aborted);
    await log.settle();
    await append(log, ...turn("two"));
    await log.settle();
    await append(log, ...turn("three"));
    expect(log.replayFloor).toBe(48);
    const kept = await history(log);
    expect(kept).not.toContain(delta("one"));
    expect(kept).toContain('"text":"one"');
    expect(kept).toContain(delta("unkept"));
    expect(kept).toContain(delta("two"));
    expect(await readAll(log, 48)).toEqual([...turn("two"), ...turn("three")]);
    await log.close();
    const again = await (await (await opened.reopen()).claim("a")).openLog();
    expect(again.seq).toBe(48 + 88);
    expect(await history(again)).toBe(kept);
    await again.close();
  });

  it("[P240] the live output of a tool goes when its result is there, and stays when it never came", async () => {
    await using opened = await openStore();
    const log = await (await opened.store.claim("a")).openLog();
    const call = (id: string): string => `{"type":"tool_call","id":"${id}","name":"bash","args":{}}`;
    const progress = (id: string): string => `{"type":"tool_progress","id":"${id}","text":"live ${id}"}`;
    const result = '{"type":"tool_result","id":"over","is_error":false,"content":[]}';
    await append(
      log,
      call("over"),
      call("cut"),
      progress("over"),
      progress("cut"),
      result,
      '{"type":"done"}',
    );
    await log.settle();
    for (const word of ["one", "two"]) {
      await append(log, ...turn(word));
      await log.settle();
    }
    const kept = await history(log);
    expect(kept).not.toContain("live over");
    expect(kept).toContain("live cut");
    await log.close();
  });

  it("[T6] the live output of a person's command goes when its end, which has all of it, is there", async () => {
    await using opened = await openStore();
    const log = await (await opened.store.claim("a")).openLog();
    const output = (id: string): string => `{"type":"bash_output","id":"${id}","text":"live ${id}"}`;
    const end = `{"type":"bash_end","id":"over","command":"ls","output":"all","exit_code":0,"cancelled":false,"truncated":false,"time":"t"}`;
    await append(log, output("over"), output("open"), end, ...turn("one"));
    await log.settle();
    await append(log, ...turn("two"));
    await log.settle();
    await append(log, ...turn("three"));
    const kept = await history(log);
    expect(kept).not.toContain("live over");
    expect(kept).toContain(end);
    expect(kept).toContain("live open");
    await log.close();
  });

  it("[T7] a crash between writing the settled file and removing the raw one loses and doubles nothing", async () => {
    await using opened = await openStore();
    const log = await (await opened.store.claim("a")).openLog();
    await append(log, ...turn("one"));
    await log.settle();
    const directory = join(opened.home, "sessions", "a");
    const raw = readdirSync(directory).sort()[0] ?? "";
    await append(log, ...turn("two"));
    await log.settle();
    await append(log, ...turn("three"));
    const before = await history(log);
    await log.close();
    writeFileSync(join(directory, raw), lines(...turn("one"))); // as if it had not been removed
    writeFileSync(join(directory, "draft"), "half a settled fi"); // as if one had been interrupted
    const again = await (await (await opened.reopen()).claim("a")).openLog();
    expect(await history(again)).toBe(before);
    expect(readdirSync(directory)).not.toContain(raw);
    await again.close();
  });

  it("[T8] a missing file is noticed, not papered over", async () => {
    await using opened = await openStore();
    const log = await (await opened.store.claim("a")).openLog();
    for (const word of ["one", "two", "three"]) {
      await append(log, ...turn(word));
      await log.settle();
    }
    await log.close();
    const directory = join(opened.home, "sessions", "a");
    rmSync(
      join(
        directory,
        readdirSync(directory)
          .filter((name) => name.endsWith(".frames"))
          .sort()[0] ?? "",
      ),
    );
    const store = await opened.reopen();
    await expect((await store.claim("a")).openLog()).rejects.toThrow(/lacks the frames/);
  });

  it("[T9] for any appends and settles, whether awaited or not, reading from any point gives exactly what was appended", async () => {
    const step = fc.oneof(
      fc.array(fc.string({ maxLength: 60 }), { minLength: 1, maxLength: 20 }),
      fc.constant("flood" as const),
      fc.constant("wait" as const),
      fc.constant("settle" as const),
      fc.constant("reopen" as const),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 15 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (steps, where) => {
          await using opened = await openStore(300);
          let log = await (await opened.store.claim("a")).openLog();
          const written: string[] = [];
          const appends: Promise<void>[] = [];
          for (const what of steps) {
            if (what === "wait") await Promise.all(appends);
            else if (what === "settle") await log.settle();
            else if (what === "reopen") {
              await log.close();
              log = await (await (await opened.reopen()).claim("a")).openLog();
            } else {
              const words = what === "flood" ? ["f".repeat(70_000), "g".repeat(70_000)] : what;
              const texts = words.map((word) => JSON.stringify({ type: "note", word }));
              written.push(...texts);
              appends.push(append(log, ...texts));
            }
          }
          await Promise.all(appends);
          expect(log.seq).toBe(written.length);
          const after = log.replayFloor + Math.floor(where * (log.seq - log.replayFloor));
          expect(await readAll(log, after, 100)).toEqual(written.slice(after));
          await log.close();
        },
      ),
      { numRuns: 60 },
    );
  });
});
