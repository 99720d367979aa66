// An answer that the page does not keep: as tall as it probably is, and fetched as soon as it is near the view.
import { useEffect } from "react";
import { useFeed } from "../connection/use-feed.ts";
import { Skeleton } from "../ui/skeleton.tsx";

export function Shelved({ index, height }: { index: number; height: number }) {
  const feed = useFeed();
  useEffect(() => feed.wantMessage(index), [feed, index]);
  return (
    <div
      role="status"
      aria-label="Loading an earlier answer"
      style={{ height }}
      className="flex flex-col gap-2.5 py-2"
    >
      <Skeleton className="h-3.5 w-4/5" />
      {height > 60 && <Skeleton className="h-3.5 w-3/5" />}
    </div>
  );
}
