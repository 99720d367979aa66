// The list of sessions, asked for every few seconds while someone looks. The open session is kept
// exact by its own socket, which writes through `put`.
import type { Session } from "@patchbay/protocol";
import { useEffect } from "react";
import { create } from "zustand";
import { inWords } from "./call.ts";
import { listSessions } from "./sessions.ts";

type Listing =
  | { state: "loading" }
  | { state: "ready"; sessions: readonly Session[]; stale: string | null }
  | { state: "failed"; message: string };

interface SessionList {
  listing: Listing;
  refresh(): Promise<void>;
  put(session: Session): void;
  remove(id: string): void;
}

const every = 5_000;

export const useSessionList = create<SessionList>((set, get) => {
  const change = (edit: (sessions: readonly Session[]) => readonly Session[]): void => {
    const { listing } = get();
    if (listing.state === "ready") set({ listing: { ...listing, sessions: edit(listing.sessions) } });
  };
  return {
    listing: { state: "loading" },
    async refresh() {
      try {
        set({ listing: { state: "ready", sessions: await listSessions(), stale: null } });
      } catch (error) {
        const { listing } = get();
        const message = inWords(error);
        set({
          listing: listing.state === "ready" ? { ...listing, stale: message } : { state: "failed", message },
        });
      }
    },
    put: (session) =>
      change((sessions) =>
        sessions.some((known) => known.id === session.id)
          ? sessions.map((known) => (known.id === session.id ? session : known))
          : [session, ...sessions],
      ),
    remove: (id) => change((sessions) => sessions.filter((session) => session.id !== id)),
  };
});

/** Keeps the list fresh while the page is visible. */
export function useSessionPolling(): void {
  useEffect(() => {
    const refresh = (): void => {
      if (document.visibilityState === "visible") void useSessionList.getState().refresh();
    };
    refresh();
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
