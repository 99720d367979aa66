// The feed of the session that is on the screen, for the components below it.
import { createContext, useContext, useEffect, useState } from "react";
import { useStore } from "zustand";
import { type Feed, SessionFeed } from "./session-feed.ts";

export const FeedContext = createContext<SessionFeed | null>(null);

/** Opens the session's socket for as long as the component is on the screen. */
export function useOpenFeed(id: string): SessionFeed | null {
  const [feed, setFeed] = useState<SessionFeed | null>(null);
  useEffect(() => {
    const opened = new SessionFeed(id);
    setFeed(opened);
    return () => {
      opened.close();
      setFeed(null);
    };
  }, [id]);
  return feed?.id === id ? feed : null;
}

export function useFeed(): SessionFeed {
  const feed = useContext(FeedContext);
  if (feed === null) throw new Error("useFeed is used outside of a session");
  return feed;
}

export function useFeedState<T>(select: (feed: Feed) => T): T {
  return useStore(useFeed().store, select);
}
