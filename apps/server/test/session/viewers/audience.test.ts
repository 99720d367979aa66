// Crowds are shown frames a moment late; what is held back for one must not reach whoever comes after it.
import { describe, expect, it } from "vitest";
import type { Limits } from "../../../src/config/config-file.ts";
import { Journal } from "../../../src/session/log/journal.ts";
import { Audience, type Subject } from "../../../src/session/viewers/audience.ts";
import type { Payload, Viewer } from "../../../src/session/viewers/viewer.ts";
import { openStore } from "../../support/open-store.ts";

const limits = { viewer_buffer_bytes: 1_000_000, viewer_stall_ms: 10_000 } as Limits;

function reader(): Viewer & { numbers: number[] } {
  const numbers: number[] = [];
  const send = (message: Payload): Promise<void> => {
    const text = typeof message === "string" ? message : Buffer.concat([message].flat()).toString();
    for (const line of text.split("\n"))
      numbers.push(...[...line.matchAll(/"n":(\d+)/g)].map(([, n]) => Number(n)));
    return Promise.resolve();
  };
  return { key: "k", author: { label: "a test" }, numbers, send, buffered: () => 0, close: () => {} };
}

/** Reads merged deltas: their text, and the number of the last frame. */
function mergingReader(): Viewer & { text: string; seq: number; messages: number } {
  const viewer = {
    key: "m",
    mergesDeltas: true,
    text: "",
    seq: 0,
    messages: 0,
    send: (message: Payload): Promise<void> => {
      const text = typeof message === "string" ? message : Buffer.concat([message].flat()).toString();
      if (!text.includes('"frames"')) return Promise.resolve();
      viewer.messages++;
      for (const line of text.trimEnd().split("\n")) {
        const { type, seq, count, delta } = JSON.parse(line) as Record<string, unknown>;
        if (type === "text_delta") viewer.text += String(delta);
        if (type !== "frames") continue;
        expect(seq).toBe(viewer.seq + 1);
        viewer.seq += Number(count);
      }
      return Promise.resolve();
    },
    author: { label: "a test" },
    buffered: () => 0,
    close: () => {},
  };
  return viewer;
}

describe("viewers of merged deltas", () => {
  it("[A23] get the text of a moment in one message, all of it, whenever they come", async () => {
    await using opened = await openStore();
    const log = await (await opened.store.claim("a")).openLog();
    const journal = new Journal(log, (error) => {
      throw error;
    });
    const audience = new Audience(journal, limits);
    journal.showTo((frames) => audience.show(frames));
    const subject: Subject = {
      view: () => ({}) as never,
      snapshot: () => Promise.reject(new Error("no viewer asks for one")),
      extras: () => [],
    };
    let written = "";
    const say = async (): Promise<void> => {
      const delta = `${written.length} `;
      written += delta;
      journal.append(Buffer.from(`${JSON.stringify({ type: "text_delta", delta })}\n`), 1, []);
      await journal.flushed();
    };
    const early = mergingReader();
    await audience.attach(audience.newAttachment(early), 0, subject);
    for (let count = 0; count < 20; count++) await say();
    const late = mergingReader(); // while text is gathered
    await audience.attach(audience.newAttachment(late), 0, subject);
    for (let count = 0; count < 20; count++) await say();
    audience.sendState({ type: "session" }); // follows all text before it
    await journal.flushed();
    await expect.poll(() => [early.seq, late.seq]).toEqual([40, 40]);
    expect([early.text, late.text]).toEqual([written, written]);
    expect(early.messages).toBeLessThan(20);
    await journal.close();
  });
});

describe("a crowd", () => {
  it("[A20] that leaves with frames held back for it takes none from whoever comes next", async () => {
    await using opened = await openStore();
    const log = await (await opened.store.claim("a")).openLog();
    const journal = new Journal(log, (error) => {
      throw error;
    });
    const audience = new Audience(journal, limits);
    journal.showTo((frames) => audience.show(frames));
    const subject: Subject = {
      view: () => ({}) as never,
      snapshot: () => Promise.reject(new Error("no viewer asks for one")),
      extras: () => [],
    };
    let next = 1;
    const say = async (): Promise<void> => {
      journal.append(Buffer.from(`{"n":${next++}}\n`), 1, []);
      await journal.flushed();
    };
    const crowd = Array.from({ length: 16 }, () => audience.newAttachment(reader()));
    for (const attachment of crowd) await audience.attach(attachment, 0, subject);
    await say();
    await say(); // held back
    for (const attachment of crowd) audience.detach(attachment);
    await say(); // shown to nobody
    const back = reader();
    await audience.attach(audience.newAttachment(back), 0, subject);
    await say();
    await say();
    expect(back.numbers).toEqual([1, 2, 3, 4, 5]);
    await journal.close();
  });
});
