// Follows a link into the transcript (`?at=`): brings the message it names into view, once, and says which it is.
import { useEffect, useRef, useState } from "react";
import { useSearch } from "wouter";
import { nearestTo, readAddressTime } from "./address.ts";
import type { Entry } from "./entries.ts";
import type { RowList } from "./rows/row-list.ts";

export function useLinkedRow(entries: readonly Entry[], list: RowList): string | null {
  const search = useSearch();
  const [linked, setLinked] = useState<string | null>(null);
  const followed = useRef<string | null>(null);
  useEffect(() => {
    if (followed.current === search || entries.length === 0) return;
    followed.current = search;
    const time = readAddressTime(new URLSearchParams(search).get("at"));
    const found =
      time === null
        ? null
        : nearestTo(
            entries.filter(({ time }) => time !== ""),
            time,
          );
    setLinked(found !== null && list.show(found.key) ? found.key : null);
  }, [search, entries, list]);
  return linked;
}
