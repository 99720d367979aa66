// Runs what the first screen does not need when the browser is idle.

/** A busy page runs it after this time. */
const latestMs = 2_000;

/** The returned function cancels it. */
export function whenIdle(run: () => void): () => void {
  // Safari has none.
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(run, 200);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run, { timeout: latestMs });
  return () => cancelIdleCallback(handle);
}
