// The feed of the session that is on the screen, for the components below it.
import { createContext, useContext, useEffect, useMemo } from "react";
import { useStore } from "zustand";
import { type Feed, SessionFeed } from "./session-feed.ts";

export const FeedContext = createContext<SessionFeed | null>(null);

/** The feed of a session, open for as long as the component is on the screen. */
export function useOpenFeed(id: string): SessionFeed {
  const feed = useMemo(() => new SessionFeed(id), [id]);
  useEffect(() => {
    feed.open();
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
