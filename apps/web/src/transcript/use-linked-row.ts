// Follows a link into the transcript (`?at=`): brings the message it names into view, once, and says which it is.
import { useEffect, useRef, useState } from "react";
import { useLinkedTime } from "../sessions/use-linked-time.ts";
import { nearestTo } from "./address.ts";
import type { Entry } from "./entries.ts";
import type { RowList } from "./rows/row-list.ts";

export function useLinkedRow(entries: readonly Entry[], list: RowList): string | null {
  const time = useLinkedTime();
  const [linked, setLinked] = useState<string | null>(null);
  const followed = useRef<number | null>(null);
  useEffect(() => {
    if (followed.current === time || entries.length === 0) return;
    followed.current = time;
    const found =
      time === null
        ? null
        : nearestTo(
            entries.filter(({ time }) => time !== ""),
            time,
          );
    setLinked(found !== null && list.show(found.key) ? found.key : null);
  }, [time, entries, list]);
  return linked;
}
