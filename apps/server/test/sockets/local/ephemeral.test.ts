// When an ephemeral server ends: how long programs and pages have to come back.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { endWhenUnused } from "../../../src/sockets/local/ephemeral.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("[J401] a page that leaves has a second to come back, like a program", () => {
  const socket = { peers: 0, onEmpty: () => {} };
  const audience = { size: 1 };
  const end = vi.fn();
  endWhenUnused(socket, { openSessions: [{ audience }] }, end);
  socket.onEmpty();
  vi.advanceTimersByTime(1_999);
  audience.size = 0; // just before the next check
  vi.advanceTimersByTime(900);
  audience.size = 1; // the page has reloaded
  vi.advanceTimersByTime(5_000);
  expect(end).not.toHaveBeenCalled();
  audience.size = 0;
  vi.advanceTimersByTime(999);
  expect(end).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_001);
  expect(end).toHaveBeenCalledTimes(1);
});

it("[J15] without a page, a program has a second", () => {
  const socket = { peers: 0, onEmpty: () => {} };
  const end = vi.fn();
  endWhenUnused(socket, { openSessions: [] }, end);
  socket.onEmpty();
  vi.advanceTimersByTime(999);
  expect(end).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(end).toHaveBeenCalledTimes(1);
});
