// Asks at the right moments, and gives up in time.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Heartbeat } from "../../../src/connection/socket/heartbeat.ts";

describe("the heartbeat of a line", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const watched = () => {
    const events: string[] = [];
    const heartbeat = new Heartbeat({
      late: () => heartbeat.check(),
      ping: () => events.push("ping"),
      dead: () => events.push("dead"),
    });
    return { heartbeat, events };
  };

  it("[L79] asks when nothing comes after something was sent, and gives up 5 s later", () => {
    const { heartbeat, events } = watched();
    heartbeat.sent(100);
    vi.advanceTimersByTime(1_500);
    expect(events).toEqual(["ping"]);
    vi.advanceTimersByTime(4_990);
    expect(events).toEqual(["ping"]);
    vi.advanceTimersByTime(100);
    expect(events).toEqual(["ping", "dead"]);
  });

  it("[L79] whatever comes is a sign of life", () => {
    const { heartbeat, events } = watched();
    heartbeat.sent(100);
    heartbeat.received();
    vi.advanceTimersByTime(60_000);
    heartbeat.check();
    heartbeat.received();
    vi.advanceTimersByTime(60_000);
    expect(events).toEqual(["ping"]);
  });

  it("[L79] pictures on a slow line are given the time they take", () => {
    const { heartbeat, events } = watched();
    heartbeat.sent(6_400_000);
    vi.advanceTimersByTime(100_000);
    expect(events).toEqual(["ping"]);
    vi.advanceTimersByTime(10_000);
    expect(events).toEqual(["ping", "dead"]);
  });

  it("[L79] a socket that never says its first word is given up", () => {
    const { heartbeat, events } = watched();
    heartbeat.opening();
    vi.advanceTimersByTime(15_000);
    expect(events).toEqual(["dead"]);
  });
});
