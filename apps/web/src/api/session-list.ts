// The list of sessions, asked for every few seconds while someone looks. The open session is kept
// exact by its own socket, which writes through `put`. A hidden page asks less often, for its notifications.
import type { Session } from "@patchbay/protocol";
import { useEffect } from "react";
import { create } from "zustand";
import { inWords } from "./call.ts";
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
/** Asked for before there was a page to show it. */
let begun = false;

export const useSessionList = create<SessionList>((set, get) => {
  const without = (sessions: readonly Session[], id: string) => sessions.filter((known) => known.id !== id);
  return {
    listing: { state: "loading" },
    async refresh() {
      begun = true;
      try {
        set({ listing: { state: "ready", ...(await listSessions()), stale: null } });
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
    const refresh = (): void => {
      if (document.visibilityState !== "visible" && Date.now() - asked < everyHidden) return;
      asked = Date.now();
      void useSessionList.getState().refresh();
    };
    if (!begun) refresh();
    const timer = setInterval(refresh, every);
    window.addEventListener("focus", refresh);
    document.addEventListener("visibilitychange", refresh);
    return () => {
      clearInterval(timer);
      window.removeEventListener("focus", refresh);
      document.removeEventListener("visibilitychange", refresh);
    };
  }, []);
}
