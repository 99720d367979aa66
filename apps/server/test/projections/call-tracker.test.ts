// Calls of workers that do not announce them: how they ended is in the frames around their usage.
import { type Frame, noUsage } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { CallTracker } from "../../src/projections/call-tracker.ts";

const usage = {
  type: "usage",
  input: 1_000,
  output: 1,
  cache_read: 0,
  cache_write: 0,
  cost_usd: 0.02,
} as const;
const step = { type: "turn_start", step: 1 } as const;
const turnEnd = (stop: string) => ({ type: "turn_end", stop }) as Frame;

/** The frames one after the other; a number is so many bytes of an answer. */
function follow(...items: (Frame | number)[]) {
  const tracker = new CallTracker();
  const charges = items.flatMap((item, index) => {
    if (typeof item !== "number") return tracker.frame(item, index + 1);
    tracker.streamed(item);
    return [];
  });
  return { tracker, charges };
}

describe("a usage frame that does not tell how its call ended", () => {
  it("[U51] is exact when the turn goes on, and an estimate when it was stopped", () => {
    expect(follow(step, 400, usage, turnEnd("end")).charges).toEqual([{ seq: 3, usage, reported: usage }]);
    const { charges } = follow(step, 400, usage, turnEnd("aborted"));
    expect(charges).toMatchObject([
      {
        seq: 3,
        reported: usage,
        usage: {
          ...{ input: 1_000, output: 100, cost_usd: 0, unpriced: 1, low_usd: 0.02, ended: "cut" },
          bounds: { low: { input: 1_000, output: 33 } },
        },
      },
    ]);
  });

  it("[U53] without tokens is unknown where the model has answered", () => {
    const uncounted = { type: "usage", ...noUsage } as const;
    expect(follow(step, 400, uncounted, turnEnd("end")).charges).toMatchObject([
      { usage: { output: 100, unpriced: 1, incomplete: true } },
    ]);
    expect(follow(step, uncounted, turnEnd("end")).charges[0]?.usage).toEqual(uncounted);
  });

  it("[U51] is an estimate when the worker was killed before it went on, and is charged once", () => {
    const { tracker, charges } = follow(step, 400, usage);
    expect(charges).toEqual([]);
    const end = tracker.ended();
    expect(end).toMatchObject({ usage: null, charges: [{ seq: 3, usage: { output: 100, ended: "cut" } }] });
    expect(tracker.ended()).toEqual({ usage: null, charges: [] });
  });
});

describe("a call without a usage frame", () => {
  it("[U53] is unknown when its worker was killed in the middle of the answer", () => {
    const { usage: own } = follow(step, 400).tracker.ended();
    expect(own).toMatchObject({ output: 100, unpriced: 1, incomplete: true, purpose: "interrupted" });
  });

  it("[U53] counts 0 and says that it was not answered when it was stopped before", () => {
    const stopped = turnEnd("aborted");
    const { tracker } = follow(step);
    expect(tracker.unreported(stopped)).toMatchObject({ ...noUsage, ended: "unanswered" });
    expect(tracker.unreported(stopped)).toBeNull();
    expect(follow(step, 400, usage).tracker.unreported(stopped)).toBeNull();
  });
});
