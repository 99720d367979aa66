// Whoever asks is answered: by a response, by a cut, or by the end of patience.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Asked, patience } from "../src/connection/outgoing/asked.ts";

describe("Asked", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("gives up on a worker that never answers, in words", async () => {
    const asked = new Asked();
    const answer = expect(asked.wait("a")).rejects.toThrow("has not answered for 20 seconds");
    vi.advanceTimersByTime(patience);
    await answer;
    expect(asked.answer({ type: "response", command: "ping", id: "a", success: true })).toBe(false);
  });

  it("leaves no timer behind an answer or a cut", async () => {
    const asked = new Asked();
    const answered = asked.wait("a");
    const cut = expect(asked.wait("b")).rejects.toThrow("cut");
    asked.answer({ type: "response", command: "ping", id: "a", success: true, data: { pong: true } });
    asked.fail("cut");
    await expect(answered).resolves.toEqual({ pong: true });
    await cut;
    expect(vi.getTimerCount()).toBe(0);
  });
});
