// What this browser has seen last, for a page that is loaded while the server is away: the list, and a few transcripts. Kept by
// the browser for our origin, only where it has a login, and removed when the login ends.
import { base } from "./base.ts";
import { pageSecret } from "./page-secret.ts";

const store = `patchbay-seen${base}`;
/** Of each: what is longer is not kept. */
const maxCharacters = 2_000_000;
/** The list, and the sessions that were looked at last. */
const maxKept = 6;

/** Browsers have it on https and localhost only. */
const hasStore = (): boolean => "caches" in globalThis && pageSecret() !== null;
const addressOf = (name: string): string => `${base}/last-seen/${encodeURIComponent(name)}`;

/** Never rejects: what cannot be kept is not. */
export async function keepLastSeen(name: string, text: string): Promise<void> {
  if (!hasStore()) return;
  try {
    const kept = await caches.open(store);
    const address = addressOf(name);
    await kept.delete(address); // and so it becomes the newest
    if (text.length > maxCharacters) return;
    await kept.put(address, new Response(text));
    const all = await kept.keys();
    for (const old of all.slice(0, Math.max(0, all.length - maxKept))) await kept.delete(old);
    if (pageSecret() === null) await forgetLastSeen(); // it was logged out meanwhile
  } catch {
    // no room, or forbidden here
  }
}

/** Null: nothing is known, or this browser has no login. */
export async function readLastSeen(name: string): Promise<string | null> {
  if (!hasStore()) return null;
  try {
    const found = await (await caches.open(store)).match(addressOf(name));
    return found === undefined ? null : await found.text();
  } catch {
    return null;
  }
}

export async function forgetLastSeen(): Promise<void> {
  try {
    if ("caches" in globalThis) await caches.delete(store);
  } catch {
    // forbidden here: nothing was kept
  }
}
