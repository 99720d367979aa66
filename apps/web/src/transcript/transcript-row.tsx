// One row of the list: registers its element with the list, and is rendered again only when its entry changes.
import { memo, useCallback, useEffect, useRef } from "react";
import { WholeOutputContext } from "../code/terminal/whole-output.ts";
import type { Retry, TranscriptEntry } from "./entries/entries.ts";
import { EntryView } from "./entry-view.tsx";
import { MatchContext, type Matches } from "./message-link/match-context.ts";
import type { RowList } from "./rows/row-list.ts";

interface Props {
  list: RowList;
  entry: TranscriptEntry;
  retry: Retry | null;
  /** A link led here. */
  linked: boolean;
  /** What its search looked for. */
  matches: Matches | null;
  /** What the find bar looks for in it. */
  sought: Matches | null;
}

export const TranscriptRow = memo(function TranscriptRow({
  list,
  entry,
  retry,
  linked,
  matches,
  sought,
}: Props) {
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
    const { current } = row;
    if (current === null || matches === null) return;
    let end: (() => void) | null = null;
    let gone = false;
    void import("./message-link/highlight-matches.ts").then(
      ({ highlightMatches }) => {
        if (!gone) end = highlightMatches(current, matches, (place) => list.bring(place));
      },
      () => {}, // loading failed: the row is shown without highlights
    );
    return () => {
      gone = true;
      end?.();
    };
  }, [list, matches]);
  return (
    // A row holds its margins, so that rows add up to the list
    <div ref={ref} data-row={key} className={`flow-root ${linked ? "linked" : ""}`}>
      <MatchContext value={sought ?? matches}>
        <WholeOutputContext value={sought !== null}>
          <EntryView entry={entry} retry={retry} />
        </WholeOutputContext>
      </MatchContext>
    </div>
  );
});
