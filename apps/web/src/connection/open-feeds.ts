// The sessions that are on the screen, for what is outside of them: keys, the palette. The active one is the one
// that was last clicked or written in.
import { create } from "zustand";
import type { SessionFeed } from "./session-feed.ts";

interface OpenFeeds {
  feeds: readonly SessionFeed[];
  active: string | null;
}

export const useOpenFeeds = create<OpenFeeds>(() => ({ feeds: [], active: null }));

/** Until the returned function is called. */
export function registerFeed(feed: SessionFeed): () => void {
  useOpenFeeds.setState(({ feeds }) => ({ feeds: [...feeds, feed] }));
  return () => useOpenFeeds.setState(({ feeds }) => ({ feeds: feeds.filter((open) => open !== feed) }));
}

export const activate = (id: string): void => {
  if (useOpenFeeds.getState().active !== id) useOpenFeeds.setState({ active: id });
};

const activeOf = ({ feeds, active }: OpenFeeds): SessionFeed | null =>
  feeds.find((feed) => feed.id === active) ?? feeds[0] ?? null;

export const useActiveFeed = (): SessionFeed | null => useOpenFeeds(activeOf);
export const activeFeed = (): SessionFeed | null => activeOf(useOpenFeeds.getState());
export const activeSession = (): string | null => activeFeed()?.id ?? null;
