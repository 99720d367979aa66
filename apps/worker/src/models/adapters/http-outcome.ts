// The HTTP outcome of one model call: the status, and how long the provider asks to wait. The providers' libraries
// expose neither, and one of them accepts no custom fetch, so the global fetch is wrapped.
import { AsyncLocalStorage } from "node:async_hooks";

export interface HttpOutcome {
  /** The last response's; undefined when none came. */
  status?: number;
  /** The provider was not reached: no connection was made, so it has not seen the call. */
  notReached?: boolean;
  retryAfterMs?: number | undefined;
}

const calls = new AsyncLocalStorage<HttpOutcome>();

export function recordFetchOutcomes(): void {
  const fetch = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const outcome = calls.getStore();
    if (outcome === undefined) return fetch(input, init);
    delete outcome.status;
    const response = await fetch(input, init).catch((error: unknown) => {
      outcome.notReached = isConnectFailure(error);
      throw error;
    });
    outcome.status = response.status;
    outcome.retryAfterMs = readRetryAfter(response.headers);
    return response;
  };
}

const connectFailures: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** fetch wraps the failure of the socket, which may be that of several addresses. */
function isConnectFailure(error: unknown): boolean {
  const causes = [Object(error).cause, ...[Object(Object(error).cause).errors ?? []].flat()];
  return causes.some((cause) => connectFailures.has(Object(cause).code));
}

/** Every fetch that `start` leads to is recorded in `outcome`. */
export const withHttpOutcome = <T>(outcome: HttpOutcome, start: () => Promise<T>): Promise<T> =>
  calls.run(outcome, start);

/** Seconds or a date, and OpenAI's and Anthropic's own header in milliseconds. */
function readRetryAfter(headers: Headers): number | undefined {
  const ms = Number(headers.get("retry-after-ms") ?? "");
  if (ms > 0) return Math.ceil(ms);
  const value = headers.get("retry-after");
  if (value === null || value.trim() === "") return undefined;
  const seconds = Number(value);
  const wait = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1_000;
  return Number.isNaN(wait) ? undefined : Math.max(0, Math.ceil(wait));
}
