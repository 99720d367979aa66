// The home page as a chunk of its own: the address of a session does not load it. A page that starts at home loads it before
// anything is rendered (see costs-entry.tsx).
import { type ComponentType, Suspense, useState } from "react";
import { lazyPart } from "../ui/lazy-part.ts";

let loaded: ComponentType | null = null;

async function load() {
  const page = await import("./home-page.tsx");
  loaded = page.default;
  return page;
}

const Later = lazyPart(load);

export const preloadHome = (): Promise<unknown> => load();

export function HomeEntry() {
  const [Page] = useState(() => loaded ?? Later);
  return (
    <Suspense>
      <Page />
    </Suspense>
  );
}
