// The home page as a chunk of its own: the address of a session does not load it. A page that starts at home loads it before
// anything is rendered (see costs-entry.tsx).
import { type ComponentType, lazy, Suspense, useState } from "react";

let loaded: ComponentType | null = null;

async function load() {
  const page = await import("./home-page.tsx");
  loaded = page.default;
  return page;
}

const Later = lazy(load);

export const preloadHome = (): Promise<unknown> => load();

export function HomeEntry() {
  const [Page] = useState(() => loaded ?? Later);
  return (
    <Suspense>
      <Page />
    </Suspense>
  );
}
