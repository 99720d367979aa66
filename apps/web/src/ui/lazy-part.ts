// A part of the page that is loaded when it is first shown. Where that fails, because the server is away, the part is
// missing until the page is loaded again; a plain lazy component would take the whole page with it.
import { type ComponentType, type LazyExoticComponent, lazy } from "react";

export const lazyPart = <P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
): LazyExoticComponent<ComponentType<P>> => lazy(() => load().catch(() => ({ default: Missing })));

const Missing = (): null => null;
