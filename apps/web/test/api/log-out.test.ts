// @vitest-environment happy-dom
// What a browser keeps for a page without its server, and what is left of it after a log-out.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { forgetLastSeen, keepLastSeen, readLastSeen } from "../../src/api/http/last-seen.ts";
import { logOut } from "../../src/api/log-out.ts";

/** As much of a browser's caches as is used. */
function fakeCaches() {
  const all = new Map<string, Map<string, string>>();
  return {
    async open(name: string) {
      const kept = all.get(name) ?? new Map<string, string>();
      all.set(name, kept);
      return {
        put: async (key: string, response: Response) => void kept.set(key, await response.text()),
        match: async (key: string) => (kept.has(key) ? new Response(kept.get(key)) : undefined),
        delete: async (key: string) => kept.delete(key),
        keys: async () => [...kept.keys()],
      };
    },
    delete: async (name: string) => all.delete(name),
    names: () => [...all.keys()],
  };
}

let caches: ReturnType<typeof fakeCaches>;

beforeEach(() => {
  caches = fakeCaches();
  vi.stubGlobal("caches", caches);
  localStorage.setItem("patchbay.login", "secret");
});

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
});

describe("what was last seen", () => {
  it("[P224] is kept for a browser with a login, and for no other", async () => {
    await keepLastSeen("sessions", "[]");
    expect(await readLastSeen("sessions")).toBe("[]");
    localStorage.removeItem("patchbay.login");
    expect(await readLastSeen("sessions")).toBeNull();
    await keepLastSeen("other", "x");
    localStorage.setItem("patchbay.login", "secret");
    expect(await readLastSeen("other")).toBeNull();
  });

  it("[P224] is bounded: a few, the newest, and none that is too long", async () => {
    for (let index = 0; index < 8; index++) await keepLastSeen(`s${index}`, String(index));
    expect(await readLastSeen("s1")).toBeNull();
    expect(await readLastSeen("s7")).toBe("7");
    await keepLastSeen("s7", "x".repeat(2_000_001));
    expect(await readLastSeen("s7")).toBeNull();
    await forgetLastSeen();
    expect(caches.names()).toEqual([]);
  });
});

describe("logging out", () => {
  it("[P224] removes what is private and leaves how the page looks", async () => {
    await keepLastSeen("sessions", "[]");
    const stored = {
      "patchbay.draft.1": "private",
      "patchbay.outbox": "private",
      "patchbay.comments.1": "private",
      "patchbay.models": "private",
      "patchbay.theme": "dark",
      "patchbay.login/other": "of another server",
      "somebody.else": "stays",
    };
    for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
    sessionStorage.setItem("patchbay.viewer", "private");
    vi.stubGlobal("fetch", async () => new Response(null, { status: 204 }));
    await logOut();
    expect(Object.keys(localStorage).sort()).toEqual([
      ...["patchbay.login/other", "patchbay.theme", "somebody.else"],
    ]);
    expect(sessionStorage.length).toBe(0);
    expect(caches.names()).toEqual([]);
  });
});
