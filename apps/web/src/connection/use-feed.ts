// The feed of the session that is on the screen, for the components below it.
import { createContext, useContext, useEffect, useMemo } from "react";
import { useStore } from "zustand";
import { earlySocket } from "../api/http/early-requests.ts";
import { type Feed, SessionFeed } from "./session-feed.ts";

export const FeedContext = createContext<SessionFeed | null>(null);

/** Opened before there is a component, and kept until one has it on the screen. */
let early: SessionFeed | null = null;

/** Opens the session that the address names, once the server has answered. */
export async function openEarlyFeed(): Promise<void> {
  const socket = earlySocket();
  if (socket === null) return;
  await socket.answered;
  if (earlySocket() !== socket) return; // it took too long, and a component has taken it over
  early = new SessionFeed(socket.session);
  early.open();
}

/** The feed of a session, open for as long as the component is on the screen. */
export function useOpenFeed(id: string): SessionFeed {
  const feed = useMemo(() => (early?.id === id ? early : new SessionFeed(id)), [id]);
  useEffect(() => {
    feed.open();
    if (feed === early) early = null;
    return () => feed.close();
  }, [feed]);
  return feed;
}

export function useFeed(): SessionFeed {
  const feed = useContext(FeedContext);
  if (feed === null) throw new Error("useFeed is used outside of a session");
  return feed;
}

export function useFeedState<T>(select: (feed: Feed) => T): T {
  return useStore(useFeed().store, select);
}
