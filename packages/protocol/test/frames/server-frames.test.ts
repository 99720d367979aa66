// The lines that the server itself writes, in and outside of the log.
import {
  emptyTranscript,
  errorTable,
  noUsage,
  PatchbayError,
  readFrameValue,
  ServerLine,
} from "@patchbay/protocol";
import { describe, expect, it } from "vitest";

const session = {
  id: "s1",
  name: "n",
  worker: "builtin",
  dialect: "zot",
  cwd: "/",
  provider: "p",
  model: "m",
  state: "idle",
  job: null,
  message_count: 0,
  seq: 0,
  usage: noUsage,
  pending: [],
  viewers: 1,
  created_at: "t",
  updated_at: "t",
  capabilities: [],
};

const unnumbered = [
  { type: "attached", session, seq: 3, verdict: "replay" },
  { type: "snapshot", seq: 3, ...emptyTranscript },
  { type: "caught_up", seq: 3 },
  { type: "frames", seq: 4, count: 2 },
  { type: "session", session: { ...session, state: "failed", reason: "It died." } },
  {
    type: "queue",
    items: [{ id: "q1", command: "prompt", message: "hi", images: 0, queued_at: "t" }],
  },
  { type: "presence", viewers: 2 },
];

describe("the server's lines", () => {
  it.each([
    { type: "worker", event: "starting", time: "t" },
    { type: "worker", event: "ready", time: "t", pid: 7 },
    {
      type: "worker",
      event: "exited",
      time: "t",
      code: 1,
      signal: null,
      stderr: "zot: no",
      reason: "It ended.",
    },
    { type: "ui_resolved", id: "q1", time: "t", by: "viewer", confirmed: true },
    { type: "budget", time: "t", message: "half is spent" },
    { type: "priced", time: "t", frame: 7, cost_usd: 0.25, price: "catalog 2026-11-16" },
    { type: "cleared", time: "t" },
  ])("[P9] a numbered frame: $type", (frame) => {
    expect(readFrameValue(frame)).toEqual({ kind: "frame", frame });
  });

  it.each([
    { type: "worker", event: "paused", time: "t" },
    { type: "worker", event: "exited" },
    { type: "ui_resolved", id: "q1", time: "t", by: "magic" },
    { type: "cleared" },
  ])("[P9] no numbered frame: %j", (frame) => {
    expect(readFrameValue(frame).kind).toBe("malformed");
  });

  it.each(unnumbered)("[P9] a line without a number: $type", (line) => {
    expect(ServerLine.safeParse(JSON.parse(JSON.stringify(line)))).toEqual({ success: true, data: line });
    expect(readFrameValue(line).kind).toBe("unknown"); // never taken for a worker's frame
  });

  it.each([
    { type: "frames", seq: 4, count: 0 },
    { type: "frames", seq: -1, count: 1 },
    { type: "frames", seq: 1.5, count: 1 },
    { type: "caught_up" },
    { type: "attached", session, seq: 3, verdict: "maybe" },
    { type: "attached", session: { ...session, state: "asleep" }, seq: 3, verdict: "replay" },
    { type: "snapshot", seq: 3, messages: [] },
    { type: "queue", items: [{ id: "q1" }] },
  ])("[P9] refused: %j", (line) => {
    expect(ServerLine.safeParse(line).success).toBe(false);
  });

  it("[P9] every error has a status, a sentence, and no close code twice", () => {
    const kinds = Object.values(errorTable);
    const closes = kinds.flatMap((kind) => ("close" in kind ? [kind.close] : []));
    expect(new Set(closes).size).toBe(closes.length);
    for (const kind of kinds) {
      expect(kind.status).toBeGreaterThanOrEqual(400);
      expect(kind.sentence).toMatch(/^[A-Z].*\.$/);
    }
  });

  it("[P9] an error says its code and a sentence, its own or the table's", () => {
    const plain = new PatchbayError("no_such_session");
    expect(plain.toBody()).toEqual({
      error: { code: "no_such_session", message: "This session does not exist." },
    });
    expect(plain.status).toBe(404);
    expect(new PatchbayError("bad_directory", "/x is no directory.").toBody().error.message).toBe(
      "/x is no directory.",
    );
  });
});
