// Registers the service worker (public/sw.js): an installed Patchbay opens without its server, and a notification
// that is clicked opens its session in the tab that is there.
import { useEffect } from "react";
import { useLocation } from "wouter";
import * as z from "zod/mini";
import { base } from "../api/http/base.ts";

/** By then the first screen is shown. */
const settledMs = 2_000;

const Open = z.object({ type: z.literal("open"), url: z.string() });

/** It was not there when this page was loaded, and has to keep what this page needs to be opened without the server. */
async function register(serviceWorker: ServiceWorkerContainer): Promise<void> {
  await serviceWorker.register(`${base}/sw.js`);
  const { active } = await serviceWorker.ready;
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  active?.postMessage({ type: "keep", urls: loaded });
}

export function useServiceWorker(): void {
  const [, navigate] = useLocation();
  useEffect(() => {
    // Only where the page is served by its server, and where browsers allow it: https or this very machine.
    if (!("serviceWorker" in navigator) || !import.meta.env.PROD) return;
    const { serviceWorker } = navigator;
    // Not while the first screen is being shown: it only helps the next visit.
    const timer = setTimeout(() => {
      register(serviceWorker).catch(() => {}); // forbidden here: everything else works without it
    }, settledMs);
    const opened = ({ data }: MessageEvent): void => {
      const message = Open.safeParse(data);
      if (!message.success) return;
      const { origin, pathname, search } = new URL(message.data.url, location.href);
      if (origin === location.origin) navigate(pathname.slice(base.length) + search);
    };
    serviceWorker.addEventListener("message", opened);
    return () => {
      clearTimeout(timer);
      serviceWorker.removeEventListener("message", opened);
    };
  }, [navigate]);
}
