// Tries a model call again when it failed before it began: no connection, or a gateway's "not now".
// Done on global fetch, because that is the one thing all providers' libraries share, and because
// after the first byte of an answer nothing may be sent twice.

const pauses = [250, 750];
const worthAnother: ReadonlySet<number> = new Set([502, 503, 504, 529]);

export function retryEarlyFailures(): void {
  const once = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    for (const pause of pauses) {
      const answer = await attempt(once, input, init);
      if (answer !== undefined) return answer;
      await wait(pause, init?.signal ?? undefined);
    }
    return once(input, init);
  };
}

/** Undefined: worth another attempt. */
async function attempt(
  once: typeof fetch,
  input: Parameters<typeof fetch>[0],
  init: Parameters<typeof fetch>[1],
): Promise<Response | undefined> {
  try {
    const answer = await once(input, init);
    if (!worthAnother.has(answer.status)) return answer;
    await answer.body?.cancel();
    return undefined;
  } catch (error) {
    if (init?.signal?.aborted) throw error;
    return undefined;
  }
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason instanceof Error ? signal.reason : new Error("aborted"));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted) onAbort();
  });
}
