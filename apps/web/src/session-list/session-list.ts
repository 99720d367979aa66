// The list of sessions. Its changes are pushed (list-stream.ts); without that, a visible page polls every few seconds, and
// with it now and then. The open session is kept up to date by its own socket, through `put`.
import { SessionInfo } from "@patchbay/protocol";
import { useEffect } from "react";
import * as z from "zod/mini";
import { create } from "zustand";
import { keepLastSeen, readLastSeen } from "../api/http/last-seen.ts";
import { listSessions } from "../api/sessions.ts";
import { whenIdle } from "../device/when-idle.ts";
import { errorMessage } from "../format/error-message.ts";
import { ListStream } from "./list-stream.ts";

type Listing =
  | { state: "loading" }
  | {
      state: "ready";
      sessions: readonly SessionInfo[];
      deleting: readonly SessionInfo[];
      stale: string | null;
    }
  | { state: "failed"; message: string };

interface SessionList {
  listing: Listing;
  refresh(): Promise<void>;
  put(session: SessionInfo): void;
  remove(id: string): void;
}

/** Sessions that changed while a list was being fetched: the list may not have the change. */
let changedSince = new Set<string>();
const every = 5_000;
const everyHidden = 15_000;
/** While changes are pushed: for what might have been missed. */
const everyPushed = 60_000;
/** The first fetch begins before the page is rendered. */
let begun = false;

export const useSessionList = create<SessionList>((set, get) => {
  const without = (sessions: readonly SessionInfo[], id: string) =>
    sessions.filter((known) => known.id !== id);
  return {
    listing: { state: "loading" },
    async refresh() {
      begun = true;
      const changed = new Set<string>();
      changedSince = changed;
      try {
        const { sessions, deleting } = await listSessions();
        const { listing } = get();
        set({
          listing: {
            state: "ready",
            sessions: newest(sessions, listing.state === "ready" ? listing.sessions : [], changed),
            deleting: newest(deleting, listing.state === "ready" ? listing.deleting : [], changed),
            stale: null,
          },
        });
      } catch (error) {
        const message = errorMessage(error);
        const seen = get().listing.state === "ready" ? null : await lastList();
        const { listing } = get();
        set({
          listing:
            listing.state === "ready"
              ? { ...listing, stale: message }
              : seen === null
                ? { state: "failed", message }
                : { state: "ready", sessions: seen, deleting: [], stale: message },
        });
      }
    },
    put(session) {
      const { listing } = get();
      if (listing.state !== "ready") return;
      changedSince.add(session.id);
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
      changedSince.add(id);
      const { sessions, deleting } = listing;
      set({ listing: { ...listing, sessions: without(sessions, id), deleting: without(deleting, id) } });
    },
  };
});

/** For a page that is loaded while the server is away. */
const keptSessions = 100;
/** While agents work, the list changes several times a second. */
const keepEveryMs = 3_000;

/** Keeps the list as it changes, until the returned function is called. */
function keepList(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const keep = (): void => {
    timer = undefined;
    const { listing } = useSessionList.getState();
    if (listing.state === "ready" && listing.stale === null)
      void keepLastSeen("sessions", JSON.stringify(listing.sessions.slice(0, keptSessions)));
  };
  const changed = (): void => {
    timer ??= setTimeout(keep, keepEveryMs);
  };
  changed();
  const leave = useSessionList.subscribe(changed);
  return () => {
    clearTimeout(timer);
    leave();
  };
}

async function lastList(): Promise<readonly SessionInfo[] | null> {
  const text = await readLastSeen("sessions");
  if (text === null) return null;
  const read = z.array(SessionInfo).safeParse(JSON.parse(text));
  return read.success ? read.data : null;
}

/** What was pushed while the list was being fetched is newer than it: sessions that were added and removed, too. */
function newest(
  listed: readonly SessionInfo[],
  known: readonly SessionInfo[],
  changed: ReadonlySet<string>,
): readonly SessionInfo[] {
  const before = new Map(known.map((one) => [one.id, one]));
  const ids = new Set(listed.map(({ id }) => id));
  const came = known.filter(({ id }) => changed.has(id) && !ids.has(id));
  const stay = listed.filter(({ id }) => !changed.has(id) || before.has(id));
  return [
    ...came,
    ...stay.map((session) => {
      const old = before.get(session.id);
      return old !== undefined && old.seq > session.seq ? old : session;
    }),
  ];
}

/** In its place, or first. */
const withOne = (sessions: readonly SessionInfo[], session: SessionInfo): readonly SessionInfo[] =>
  sessions.some(({ id }) => id === session.id)
    ? sessions.map((known) => (known.id === session.id ? session : known))
    : [session, ...sessions];

/** One session as the list knows it. */
export const useListed = (id: string): SessionInfo | undefined =>
  useSessionList(({ listing }) =>
    listing.state === "ready" ? listing.sessions.find((session) => session.id === id) : undefined,
  );

const none: readonly SessionInfo[] = [];
export const useSessions = (): readonly SessionInfo[] =>
  useSessionList(({ listing }) => (listing.state === "ready" ? listing.sessions : none));

/** Keeps the list fresh. */
export function useSessionPolling(): void {
  useEffect(() => {
    let fetchedAt = 0;
    const fetch = (): void => {
      fetchedAt = Date.now();
      void useSessionList.getState().refresh();
    };
    const stream = new ListStream({
      changed: (session) => useSessionList.getState().put(session),
      removed: (id) => useSessionList.getState().remove(id),
      reconnected: fetch,
    });
    let isPushed = false;
    /** Fetched once more when the stream is live: earlier changes are not pushed. */
    const pause = (): number => {
      if (stream.isLive && isPushed) return everyPushed;
      isPushed = stream.isLive;
      return document.visibilityState === "visible" ? 0 : everyHidden;
    };
    const refresh = (): void => {
      if (Date.now() - fetchedAt >= pause()) fetch();
    };
    /** The page is visible again: the stream may have died meanwhile. */
    const returned = (): void => {
      if (document.visibilityState === "visible" && Date.now() - fetchedAt >= every) fetch();
      else refresh();
    };
    const restart = (): void => stream.restart();
    if (!begun) refresh();
    const timer = setInterval(refresh, every);
    const cancel = whenIdle(() => stream.open());
    const stopKeeping = keepList();
    window.addEventListener("focus", returned);
    document.addEventListener("visibilitychange", returned);
    for (const event of ["online", "offline"]) window.addEventListener(event, restart);
    return () => {
      cancel();
      stopKeeping();
      stream.close();
      clearInterval(timer);
      window.removeEventListener("focus", returned);
      document.removeEventListener("visibilitychange", returned);
      for (const event of ["online", "offline"]) window.removeEventListener(event, restart);
    };
  }, []);
}
