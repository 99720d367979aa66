// The list of sessions. What changes in it is told by a line of its own (list-stream.ts); without it, the list is asked
// for every few seconds while someone looks, and with it now and then. The open session is kept exact by its own socket, through `put`.
import type { Session } from "@patchbay/protocol";
import { useEffect } from "react";
import { create } from "zustand";
import { listSessions } from "../api/sessions.ts";
import { whenIdle } from "../device/when-idle.ts";
import { errorMessage } from "../format/error-message.ts";
import { ListStream } from "./list-stream.ts";

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

/** What was told of while a list was on its way, which cannot know it. */
let toldSince = new Set<string>();
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
      const told = new Set<string>();
      toldSince = told;
      try {
        const { sessions, deleting } = await listSessions();
        const { listing } = get();
        set({
          listing: {
            state: "ready",
            sessions: newest(sessions, listing.state === "ready" ? listing.sessions : [], told),
            deleting: newest(deleting, listing.state === "ready" ? listing.deleting : [], told),
            stale: null,
          },
        });
      } catch (error) {
        const { listing } = get();
        const message = errorMessage(error);
        set({
          listing: listing.state === "ready" ? { ...listing, stale: message } : { state: "failed", message },
        });
      }
    },
    put(session) {
      const { listing } = get();
      if (listing.state !== "ready") return;
      toldSince.add(session.id);
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
      toldSince.add(id);
      const { sessions, deleting } = listing;
      set({ listing: { ...listing, sessions: without(sessions, id), deleting: without(deleting, id) } });
    },
  };
});

/** What came by another line while the list was on its way is newer than it: sessions that came and went, too. */
function newest(
  listed: readonly Session[],
  known: readonly Session[],
  told: ReadonlySet<string>,
): readonly Session[] {
  const before = new Map(known.map((one) => [one.id, one]));
  const ids = new Set(listed.map(({ id }) => id));
  const came = known.filter(({ id }) => told.has(id) && !ids.has(id));
  const stay = listed.filter(({ id }) => !told.has(id) || before.has(id));
  return [
    ...came,
    ...stay.map((session) => {
      const old = before.get(session.id);
      return old !== undefined && old.seq > session.seq ? old : session;
    }),
  ];
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
    /** Somebody comes to look: the line may have died while nobody did. */
    const returned = (): void => {
      if (document.visibilityState === "visible" && Date.now() - asked >= every) ask();
      else refresh();
    };
    const doubt = (): void => stream.doubt();
    if (!begun) refresh();
    const timer = setInterval(refresh, every);
    const cancel = whenIdle(() => stream.open());
    window.addEventListener("focus", returned);
    document.addEventListener("visibilitychange", returned);
    for (const event of ["online", "offline"]) window.addEventListener(event, doubt);
    return () => {
      cancel();
      stream.close();
      clearInterval(timer);
      window.removeEventListener("focus", returned);
      document.removeEventListener("visibilitychange", returned);
      for (const event of ["online", "offline"]) window.removeEventListener(event, doubt);
    };
  }, []);
}
