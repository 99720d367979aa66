// Follows a link into the transcript (`?at=`, and `find=` for the terms of a search): brings the message it names into
// view, once, opens the cards that have the terms, and tells which message it is. Loaded where the address has such a link.
import { useEffect, useMemo, useRef } from "react";
import { useFeed, useFeedState } from "../../connection/use-feed.ts";
import { useMessageLink } from "../../navigation/use-message-link.ts";
import { resultsOf, type TranscriptEntry } from "../entries/entries.ts";
import type { RowList } from "../rows/row-list.ts";
import { useOpenCards } from "../tools/open-cards.ts";
import { matchIn, matchNear } from "./find-match.ts";
import type { Matches } from "./match-context.ts";
import { nearestTo } from "./nearest.ts";
import { searchTerms } from "./search-terms.ts";

export interface LinkedRow {
  key: string;
  matches: Matches | null;
}

/** How many cards are opened: a reader wants to see a match, not all of them. */
const opened = 3;

interface Props {
  entries: readonly TranscriptEntry[];
  list: RowList;
  onLinked(row: LinkedRow | null): void;
}

export default function FollowLink({ entries, list, onLinked: setLinked }: Props) {
  const feed = useFeed();
  const { time, find } = useMessageLink();
  const terms = useMemo(() => searchTerms(find), [find]);
  const branch = useFeedState(({ transcript }) => transcript.branch);
  const followed = useRef<string | null>(null);
  /** The branch that has no message of exactly that time: another one may have it. */
  const missed = useRef<string | null>(null);
  /** A row whose evicted answer has not been fetched yet. */
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
        nearest === null || terms.length === 0
          ? null
          : matchNear(entries, entries.indexOf(nearest), terms, results);
      const key = nearest?.kind === "evicted" ? nearest.key : (place?.key ?? nearest?.key ?? "");
      const shown = list.show(key);
      awaited.current = shown && terms.length > 0 ? key : null;
      setLinked(shown ? { key, matches: terms.length === 0 ? null : { terms, call: null } } : null);
    }
    const row = entries.find(({ key }) => key === awaited.current);
    if (row === undefined || row.kind === "evicted") return;
    awaited.current = null;
    const calls = matchIn(row, terms, results)?.calls ?? [];
    const { choose } = useOpenCards.getState();
    for (const { call, group } of calls.slice(0, opened)) {
      if (group !== null) choose(group, true);
      choose(call, true);
    }
    const call = calls[0]?.call ?? null;
    if (call !== null) setLinked({ key: row.key, matches: { terms, call } });
  }, [time, find, terms, branch, entries, list, feed, setLinked]);
  useEffect(() => () => setLinked(null), [setLinked]);
  return null;
}

const timed = (entries: readonly TranscriptEntry[]): TranscriptEntry[] =>
  entries.filter(({ time }) => time !== "");
