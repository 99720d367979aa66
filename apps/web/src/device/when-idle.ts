// What the first screen does not show waits until the browser has nothing better to do.

/** Even a busy page comes to it by then. */
const latestMs = 2_000;

/** The answer takes it back. */
export function whenIdle(run: () => void): () => void {
  // Safari has none.
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(run, 200);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run, { timeout: latestMs });
  return () => cancelIdleCallback(handle);
}
