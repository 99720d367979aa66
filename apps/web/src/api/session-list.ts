// The list of sessions. What changes in it is told by a line of its own (list-stream.ts); without it, the list is asked
// for every few seconds while someone looks. The open session is kept exact by its own socket, through `put`.
import type { Session } from "@patchbay/protocol";
import { useEffect } from "react";
import { create } from "zustand";
import { whenIdle } from "../device/when-idle.ts";
import { inWords } from "./call.ts";
import { ListStream } from "./list-stream.ts";
import { listSessions } from "./sessions.ts";

type Listing =
  | { state: "loading" }
  | { state: "ready"; sessions: readonly Session[]; deleting: readonly Session[]; stale: string | null }
  | { state: "failed"; message: string };

interface SessionList {
  listing: Listing;
  refresh(): Promise<void>;
  put(session: Session): void;
  remove(id: string): void;
}

const every = 5_000;
const everyHidden = 15_000;
/** What the line told is not asked for again; this is for what it might have missed. */
const everyTold = 60_000;
/** Asked for before there was a page to show it. */
let begun = false;

export const useSessionList = create<SessionList>((set, get) => {
  const without = (sessions: readonly Session[], id: string) => sessions.filter((known) => known.id !== id);
  return {
    listing: { state: "loading" },
    async refresh() {
      begun = true;
      try {
        const { sessions, deleting } = await listSessions();
        set({
          listing: { state: "ready", sessions: newest(sessions, get().listing), deleting, stale: null },
        });
      } catch (error) {
        const { listing } = get();
        const message = inWords(error);
        set({
          listing: listing.state === "ready" ? { ...listing, stale: message } : { state: "failed", message },
        });
      }
    },
    put(session) {
      const { listing } = get();
      if (listing.state !== "ready") return;
      const { sessions, deleting } = listing;
      if (sessions.some(({ id, seq }) => id === session.id && seq > session.seq)) return; // it was overtaken
      const leaves = session.deletes_at !== undefined;
      set({
        listing: {
          ...listing,
          sessions: leaves ? without(sessions, session.id) : withOne(sessions, session),
          deleting: leaves ? withOne(deleting, session) : without(deleting, session.id),
        },
      });
    },
    remove(id) {
      const { listing } = get();
      if (listing.state !== "ready") return;
      const { sessions, deleting } = listing;
      set({ listing: { ...listing, sessions: without(sessions, id), deleting: without(deleting, id) } });
    },
  };
});

/** What came by another line while the list was on its way is newer than it. */
function newest(sessions: readonly Session[], listing: Listing): readonly Session[] {
  const known = new Map(listing.state === "ready" ? listing.sessions.map((one) => [one.id, one]) : []);
  return sessions.map((session) => {
    const before = known.get(session.id);
    return before !== undefined && before.seq > session.seq ? before : session;
  });
}

/** In its place, or first. */
const withOne = (sessions: readonly Session[], session: Session): readonly Session[] =>
  sessions.some(({ id }) => id === session.id)
    ? sessions.map((known) => (known.id === session.id ? session : known))
    : [session, ...sessions];

/** One session as the list knows it. */
export const useListed = (id: string): Session | undefined =>
  useSessionList(({ listing }) =>
    listing.state === "ready" ? listing.sessions.find((session) => session.id === id) : undefined,
  );

const none: readonly Session[] = [];
export const useSessions = (): readonly Session[] =>
  useSessionList(({ listing }) => (listing.state === "ready" ? listing.sessions : none));

/** Keeps the list fresh. */
export function useSessionPolling(): void {
  useEffect(() => {
    let asked = 0;
    const ask = (): void => {
      asked = Date.now();
      void useSessionList.getState().refresh();
    };
    const stream = new ListStream({
      changed: (session) => useSessionList.getState().put(session),
      gone: (id) => useSessionList.getState().remove(id),
      back: ask,
    });
    let told = false;
    /** Once more when the line is there: what happened before it was is not told. */
    const pause = (): number => {
      if (stream.isLive && told) return everyTold;
      told = stream.isLive;
      return document.visibilityState === "visible" ? 0 : everyHidden;
    };
    const refresh = (): void => {
      if (Date.now() - asked >= pause()) ask();
    };
    if (!begun) refresh();
    const timer = setInterval(refresh, every);
    const cancel = whenIdle(() => stream.open());
    window.addEventListener("focus", refresh);
    document.addEventListener("visibilitychange", refresh);
    return () => {
      cancel();
      stream.close();
      clearInterval(timer);
      window.removeEventListener("focus", refresh);
      document.removeEventListener("visibilitychange", refresh);
    };
  }, []);
}
