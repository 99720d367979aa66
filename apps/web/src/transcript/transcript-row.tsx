// One row of the list: tells the list when it is there, and is rendered again only when its entry is another one.
import { memo, useCallback, useEffect, useRef } from "react";
import type { Entry, Retry } from "./entries/entries.ts";
import { EntryView } from "./entry-view.tsx";
import { type Found, markWords } from "./message-link/highlight-matches.ts";
import { FoundContext } from "./message-link/match-context.ts";
import type { RowList } from "./rows/row-list.ts";

interface Props {
  list: RowList;
  entry: Entry;
  retry: Retry | null;
  /** A link led here. */
  linked: boolean;
  /** What it looked for. */
  found: Found | null;
}

export const TranscriptRow = memo(function TranscriptRow({ list, entry, retry, linked, found }: Props) {
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
    if (row.current === null || found === null) return;
    return markWords(row.current, found, (place) => list.bring(place));
  }, [list, found]);
  return (
    // A row holds its margins, so that rows add up to the list
    <div ref={ref} data-row={key} className={`flow-root ${linked ? "linked" : ""}`}>
      <FoundContext value={found}>
        <EntryView entry={entry} retry={retry} />
      </FoundContext>
    </div>
  );
});
