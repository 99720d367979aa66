// The way into the costs page, which is loaded when it is opened. A page that starts at its address loads it
// before anything is rendered: once React has shown that it waits, it goes on showing it for 300 ms.
import { type ComponentType, Suspense, useState } from "react";
import { lazyPart } from "../ui/lazy-part.ts";
import { CostsWaiting } from "./costs-waiting.tsx";

let loaded: ComponentType | null = null;

async function load() {
  const page = await import("./costs-page.tsx");
  loaded = page.default;
  return page;
}

const Later = lazyPart(load);

export const preloadCosts = (): Promise<unknown> => load();

export function CostsEntry() {
  const [Page] = useState(() => loaded ?? Later); // for as long as it is shown: another one would ask anew
  return (
    <Suspense fallback={<CostsWaiting />}>
      <Page />
    </Suspense>
  );
}
