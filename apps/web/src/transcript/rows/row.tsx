// One row of the list: tells the list when it is there, and is rendered again only when its entry is another one.
import { memo, useCallback } from "react";
import type { Entry, Retry } from "../entries.ts";
import { EntryView } from "../entry-view.tsx";
import type { RowList } from "./row-list.ts";

interface Props {
  list: RowList;
  entry: Entry;
  retry: Retry | null;
  /** A link led here. */
  linked: boolean;
}

export const TranscriptRow = memo(function TranscriptRow({ list, entry, retry, linked }: Props) {
  const { key } = entry;
  const ref = useCallback((element: HTMLDivElement) => list.mount(key, element), [list, key]);
  return (
    // A row holds its margins, so that rows add up to the list
    <div ref={ref} data-row={key} className={`flow-root ${linked ? "linked" : ""}`}>
      <EntryView entry={entry} retry={retry} />
    </div>
  );
});
