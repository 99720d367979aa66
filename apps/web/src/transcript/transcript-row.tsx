// One row of the list: registers its element with the list, and is rendered again only when its entry changes.
import { memo, useCallback, useEffect, useRef } from "react";
import type { Retry, TranscriptEntry } from "./entries/entries.ts";
import { EntryView } from "./entry-view.tsx";
import { highlightMatches, type Matches } from "./message-link/highlight-matches.ts";
import { MatchContext } from "./message-link/match-context.ts";
import type { RowList } from "./rows/row-list.ts";

interface Props {
  list: RowList;
  entry: TranscriptEntry;
  retry: Retry | null;
  /** A link led here. */
  linked: boolean;
  /** What its search looked for. */
  matches: Matches | null;
}

export const TranscriptRow = memo(function TranscriptRow({ list, entry, retry, linked, matches }: Props) {
  const { key } = entry;
  const row = useRef<HTMLDivElement>(null);
  const ref = useCallback(
    (element: HTMLDivElement) => {
      row.current = element;
      return list.mount(key, element);
    },
    [list, key],
  );
  useEffect(() => {
    if (row.current === null || matches === null) return;
    return highlightMatches(row.current, matches, (place) => list.bring(place));
  }, [list, matches]);
  return (
    // A row holds its margins, so that rows add up to the list
    <div ref={ref} data-row={key} className={`flow-root ${linked ? "linked" : ""}`}>
      <MatchContext value={matches}>
        <EntryView entry={entry} retry={retry} />
      </MatchContext>
    </div>
  );
});
