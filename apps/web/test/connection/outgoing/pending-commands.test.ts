// A command settles in every case: by a response, by a cut, or by a timeout.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PendingCommands, responseTimeoutMs } from "../../../src/connection/outgoing/pending-commands.ts";

describe("PendingCommands", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("gives up on a worker that never answers, in words", async () => {
    const commands = new PendingCommands();
    const answer = expect(commands.wait("a")).rejects.toThrow("has not answered for 20 seconds");
    vi.advanceTimersByTime(responseTimeoutMs);
    await answer;
    expect(commands.settle({ type: "response", command: "ping", id: "a", success: true })).toBe(false);
  });

  it("leaves no timer behind an answer or a cut", async () => {
    const commands = new PendingCommands();
    const answered = commands.wait("a");
    const cut = expect(commands.wait("b")).rejects.toThrow("cut");
    commands.settle({ type: "response", command: "ping", id: "a", success: true, data: { pong: true } });
    commands.fail("cut");
    await expect(answered).resolves.toEqual({ pong: true });
    await cut;
    expect(vi.getTimerCount()).toBe(0);
  });
});
