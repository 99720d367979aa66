// Yields to the event loop, so that long work of many short steps delays other work by a few milliseconds at most.

const sliceMs = 4;

/** Await the returned function after each step; it yields when the time slice is used up. */
export function pacer(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < sliceMs) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        since = performance.now();
        resolve();
      });
    });
  };
}
