// Asks at the right moments, and gives up in time.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Pulse } from "../src/connection/socket/pulse.ts";

describe("the pulse of a line", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const watched = () => {
    const told: string[] = [];
    const pulse = new Pulse({
      late: () => pulse.check(),
      ping: () => told.push("ping"),
      dead: () => told.push("dead"),
    });
    return { pulse, told };
  };

  it("[L79] asks when nothing comes after something was sent, and gives up 5 s later", () => {
    const { pulse, told } = watched();
    pulse.sent(100);
    vi.advanceTimersByTime(1_500);
    expect(told).toEqual(["ping"]);
    vi.advanceTimersByTime(4_990);
    expect(told).toEqual(["ping"]);
    vi.advanceTimersByTime(100);
    expect(told).toEqual(["ping", "dead"]);
  });

  it("[L79] whatever comes is a sign of life", () => {
    const { pulse, told } = watched();
    pulse.sent(100);
    pulse.heard();
    vi.advanceTimersByTime(60_000);
    pulse.check();
    pulse.heard();
    vi.advanceTimersByTime(60_000);
    expect(told).toEqual(["ping"]);
  });

  it("[L79] pictures on a slow line are given the time they take", () => {
    const { pulse, told } = watched();
    pulse.sent(6_400_000);
    vi.advanceTimersByTime(100_000);
    expect(told).toEqual(["ping"]);
    vi.advanceTimersByTime(10_000);
    expect(told).toEqual(["ping", "dead"]);
  });

  it("[L79] a socket that never says its first word is given up", () => {
    const { pulse, told } = watched();
    pulse.opening();
    vi.advanceTimersByTime(15_000);
    expect(told).toEqual(["dead"]);
  });
});
