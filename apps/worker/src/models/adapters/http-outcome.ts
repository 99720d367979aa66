// What happened on the wire of one model call: the status, and how long the provider asks to wait. The
// providers' libraries keep neither, and one of them takes no fetch of its own, so the global one is watched.
import { AsyncLocalStorage } from "node:async_hooks";

export interface Witness {
  /** The last response's; undefined when none came. */
  status?: number;
  retryAfterMs?: number | undefined;
}

const calls = new AsyncLocalStorage<Witness>();

export function watchFetch(): void {
  const fetch = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const witness = calls.getStore();
    if (witness === undefined) return fetch(input, init);
    delete witness.status;
    const response = await fetch(input, init);
    witness.status = response.status;
    witness.retryAfterMs = readRetryAfter(response.headers);
    return response;
  };
}

/** Everything that this starts belongs to the call. */
export const withWitness = <T>(witness: Witness, start: () => Promise<T>): Promise<T> =>
  calls.run(witness, start);

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
