// Follows a link into the transcript (`?at=`, and `find=` for the words a search looked for): brings the message it
// names into view, once, opens what says the words, and says which message it is.
import { useEffect, useMemo, useRef, useState } from "react";
import { useFeed, useFeedState } from "../../connection/use-feed.ts";
import { useLink } from "../../navigation/use-message-link.ts";
import { type Entry, resultsOf } from "../entries/entries.ts";
import type { RowList } from "../rows/row-list.ts";
import { useOpenCards } from "../tools/open-cards.ts";
import { placeIn, placeNear } from "./find-match.ts";
import type { Found } from "./highlight-matches.ts";
import { nearestTo } from "./nearest.ts";
import { wordsOf } from "./search-terms.ts";

export interface LinkedRow {
  key: string;
  found: Found | null;
}

/** So many cards are opened: who looks for something wants to see it, and not everything. */
const opened = 3;

export function useLinkedRow(entries: readonly Entry[], list: RowList): LinkedRow | null {
  const feed = useFeed();
  const { time, find } = useLink();
  const words = useMemo(() => wordsOf(find), [find]);
  const branch = useFeedState(({ transcript }) => transcript.branch);
  const [linked, setLinked] = useState<LinkedRow | null>(null);
  const followed = useRef<string | null>(null);
  /** The branch on which nothing of exactly that time was said: whoever walks to another one may find it there. */
  const missed = useRef<string | null>(null);
  /** A row whose answer has yet to be fetched. */
  const awaited = useRef<string | null>(null);
  useEffect(() => {
    const link = `${time} ${find}`;
    const isNew = followed.current !== link;
    const hasWalked = missed.current !== null && missed.current !== branch;
    if (entries.length === 0 || (!isNew && !hasWalked && awaited.current === null)) return;
    const results = resultsOf(feed.store.getState().transcript.messages);
    const nearest = time === null || !(isNew || hasWalked) ? null : nearestTo(timed(entries), time);
    const isExact = nearest !== null && Date.parse(nearest.time) === time;
    if (isNew || hasWalked) missed.current = time === null || isExact ? null : branch;
    if (isNew || (hasWalked && isExact)) {
      followed.current = link;
      const place =
        nearest === null || words.length === 0
          ? null
          : placeNear(entries, entries.indexOf(nearest), words, results);
      const key = nearest?.kind === "shelved" ? nearest.key : (place?.key ?? nearest?.key ?? "");
      const shown = list.show(key);
      awaited.current = shown && words.length > 0 ? key : null;
      setLinked(shown ? { key, found: words.length === 0 ? null : { words, call: null } } : null);
    }
    const row = entries.find(({ key }) => key === awaited.current);
    if (row === undefined || row.kind === "shelved") return;
    awaited.current = null;
    const calls = placeIn(row, words, results)?.calls ?? [];
    const { choose } = useOpenCards.getState();
    for (const { call, group } of calls.slice(0, opened)) {
      if (group !== null) choose(group, true);
      choose(call, true);
    }
    const call = calls[0]?.call ?? null;
    if (call !== null) setLinked({ key: row.key, found: { words, call } });
  }, [time, find, words, branch, entries, list, feed]);
  return linked;
}

const timed = (entries: readonly Entry[]): Entry[] => entries.filter(({ time }) => time !== "");
