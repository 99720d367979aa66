// Handles uncaught errors. Every part of the server handles its own errors, so an uncaught one is a bug. It must not end all sessions:
// the server logs it with its stack and continues.
import type { FastifyBaseLogger } from "fastify";

/** At this rate of errors a restart is better than a server that only logs. */
const maxErrors = 100;
const withinMs = 60_000;

/** `giveUp` is called once, when errors exceed that rate. */
export function handleUncaught(log: FastifyBaseLogger, giveUp: () => void): void {
  let count = 0;
  let since = 0;
  const handle = (err: unknown): void => {
    log.error({ err }, "unexpected error; the server continues");
    const now = performance.now();
    if (now - since > withinMs) {
      since = now;
      count = 0;
    }
    count++;
    if (count === maxErrors) giveUp();
  };
  process.on("uncaughtException", handle);
  process.on("unhandledRejection", handle);
}
