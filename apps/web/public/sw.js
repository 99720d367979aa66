// Keeps the page itself at hand, so that Patchbay opens at once and can say that its server is away. What it shows then, the
// page has kept itself (src/api/http/last-seen.ts): nothing of a session is kept here. Also where notifications are clicked.

const kept = "patchbay-page";
/** A build has some twenty files; what an older one left goes first. */
const maxKept = 80;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => {
  // The page is asked for while this worker starts, not after it.
  event.waitUntil(Promise.all([self.clients.claim(), self.registration.navigationPreload?.enable()]));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const path = new URL(request.url).pathname.slice(new URL(self.registration.scope).pathname.length);
  if (request.method !== "GET" || path.startsWith("api/")) return;
  if (path.startsWith("shared/")) return; // another page, which a visitor reads without a login
  if (path.startsWith("assets/")) return event.respondWith(fromHere(event));
  // Every address shows the same page.
  event.respondWith(fromServer(event, request.mode === "navigate" ? self.registration.scope : request));
});

/** Names of assets hold a hash of what is in them: one that is here is the right one. */
async function fromHere(event) {
  const cache = await caches.open(kept);
  const known = await cache.match(event.request);
  if (known !== undefined) return known;
  const response = await fetch(event.request);
  if (response.ok) event.waitUntil(keep(cache, event.request, response.clone()));
  return response;
}

/** A proxy answers so when the server behind it is away. */
const serverIsAway = new Set([502, 503, 504]);

/** What came last stands in when the server is away. */
async function fromServer(event, name) {
  const cache = await caches.open(kept);
  try {
    const response = (await event.preloadResponse) ?? (await fetch(event.request));
    if (serverIsAway.has(response.status)) return (await cache.match(name)) ?? response;
    if (response.ok && !response.redirected) event.waitUntil(keep(cache, name, response.clone()));
    return response;
  } catch (error) {
    const last = await cache.match(name);
    if (last === undefined) throw error;
    return last;
  }
}

self.addEventListener("message", (event) => {
  if (event.data?.type === "keep" && Array.isArray(event.data.urls))
    event.waitUntil(keepLoaded(event.data.urls));
});

/** What a page has loaded before this worker was there: itself, and the files of its build. */
async function keepLoaded(urls) {
  const cache = await caches.open(kept);
  const scope = self.registration.scope;
  const mine = urls.filter((url) => typeof url === "string" && url.startsWith(scope));
  const files = mine.filter((url) => !/[?#]/.test(url) && !url.slice(scope.length).startsWith("api/"));
  for (const url of [scope, ...files.slice(0, maxKept - 1)]) {
    if ((await cache.match(url)) !== undefined) continue;
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok === true && !response.redirected) await keep(cache, url, response);
  }
}

async function keep(cache, name, response) {
  await cache.delete(name); // and so it becomes the newest
  await cache.put(name, response);
  const names = await cache.keys();
  for (const old of names.slice(0, Math.max(0, names.length - maxKept))) await cache.delete(old);
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data?.url ?? self.registration.scope));
});

/** In the tab that is there, or in a new one. */
async function show(url) {
  const [tab] = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (tab === undefined) return self.clients.openWindow(url);
  await tab.focus();
  tab.postMessage({ type: "open", url });
}
