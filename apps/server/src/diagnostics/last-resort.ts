// The handler of last resort. Every part of the server handles its own errors; one that none of them caught is a mistake of
// ours, and it must not end all sessions because it came up in one. It is logged with its stack, and the server goes on.
import type { FastifyBaseLogger } from "fastify";

/** A mistake that comes up all the time is no longer contained: a fresh start is better than a server that only logs. */
const most = 100;
const withinMs = 60_000;

/** `giveUp` is called once, when errors come faster than that. */
export function handleUncaught(log: FastifyBaseLogger, giveUp: () => void): void {
  let count = 0;
  let since = 0;
  const handle = (err: unknown): void => {
    log.error({ err }, "an error that no part of the server had expected; it goes on");
    const now = performance.now();
    if (now - since > withinMs) {
      since = now;
      count = 0;
    }
    count++;
    if (count === most) giveUp();
  };
  process.on("uncaughtException", handle);
  process.on("unhandledRejection", handle);
}
