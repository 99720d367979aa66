// Up to which frame each session was looked at in this browser, so that the list can say which ones
// finished something since. A session never opened here counts as seen.
import type { SessionInfo } from "@patchbay/protocol";
import * as z from "zod/mini";
import { create } from "zustand";

const key = "patchbay.seen";
const Seen = z.record(z.string(), z.number());
/** The newest entries kept: far more sessions than one list shows. */
const limit = 500;

function load(): Record<string, number> {
  try {
    const read = Seen.safeParse(JSON.parse(localStorage.getItem(key) ?? "{}"));
    return read.success ? read.data : {};
  } catch {
    return {};
  }
}

interface SeenStore {
  seen: Readonly<Record<string, number>>;
  mark(session: string, seq: number): void;
}

export const useSeen = create<SeenStore>((set, get) => ({
  seen: load(),
  mark(session, seq) {
    const { [session]: before, ...others } = get().seen;
    if (before !== undefined && before >= seq) return;
    const seen = Object.fromEntries([...Object.entries(others).slice(1 - limit), [session, seq]]);
    set({ seen });
    try {
      localStorage.setItem(key, JSON.stringify(seen));
    } catch {
      // Only the green dots of other tabs depend on it.
    }
  },
}));

export const isUnread = (session: SessionInfo, seen: Readonly<Record<string, number>>): boolean => {
  const upTo = seen[session.id];
  return session.state === "idle" && upTo !== undefined && session.seq > upTo;
};
