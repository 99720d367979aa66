// A part of the page that is loaded when it is first shown. Where that fails, because the server is away, it is tried again until it
// succeeds; a plain lazy component would take the whole page with it.
import { type ComponentType, type LazyExoticComponent, lazy } from "react";

const firstRetryMs = 500;
const longestRetryMs = 10_000;

export const lazyPart = <P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
): LazyExoticComponent<ComponentType<P>> => lazy(() => loadPatiently(load));

async function loadPatiently<T>(load: () => Promise<T>): Promise<T> {
  for (let delay = firstRetryMs; ; delay = Math.min(delay * 2, longestRetryMs)) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, delay)); // the server is away
    }
  }
}
