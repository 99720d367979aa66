// The HTTP outcome of one model call: the status, and how long the provider asks to wait. The providers' libraries
// expose neither, and one of them accepts no custom fetch, so the global fetch is wrapped.
import { AsyncLocalStorage } from "node:async_hooks";

export interface HttpOutcome {
  /** The last response's; undefined when none came. */
  status?: number;
  retryAfterMs?: number | undefined;
}

const calls = new AsyncLocalStorage<HttpOutcome>();

export function recordFetchOutcomes(): void {
  const fetch = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const outcome = calls.getStore();
    if (outcome === undefined) return fetch(input, init);
    delete outcome.status;
    const response = await fetch(input, init);
    outcome.status = response.status;
    outcome.retryAfterMs = readRetryAfter(response.headers);
    return response;
  };
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
