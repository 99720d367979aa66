// An answer that the page has evicted: as tall as it probably is, and fetched as soon as it is near the view. When that
// fails it says so in its place, and is tried again on a click or when the line is back.
import { RotateCw } from "lucide-react";
import { useEffect, useState } from "react";
import { useFeed, useFeedState } from "../../connection/use-feed.ts";
import { Skeleton } from "../../ui/feedback/skeleton.tsx";
import { transcriptTexts } from "../texts.ts";

export function EvictedAnswer({ index, height }: { index: number; height: number }) {
  const [failed, setFailed] = useState(false);
  return failed ? (
    <Missing height={height} onAgain={setFailed} />
  ) : (
    <Fetching index={index} height={height} onFail={setFailed} />
  );
}

interface FetchingProps {
  index: number;
  height: number;
  onFail(failed: true): void;
}

function Fetching({ index, height, onFail }: FetchingProps) {
  const feed = useFeed();
  useEffect(() => {
    let gone = false;
    feed.loadMessage(index).catch(() => {
      if (!gone) onFail(true);
    });
    return () => {
      gone = true;
    };
  }, [feed, index, onFail]);
  return (
    <div
      role="status"
      aria-label={transcriptTexts.loadingAnswer}
      style={{ height }}
      className="flex flex-col gap-2.5 py-2"
    >
      <Skeleton className="h-3.5 w-4/5" />
      {height > 60 && <Skeleton className="h-3.5 w-3/5" />}
    </div>
  );
}

function Missing({ height, onAgain }: { height: number; onAgain(failed: false): void }) {
  const live = useFeedState(({ link }) => link.state === "live");
  const [before] = useState(live);
  useEffect(() => {
    if (live && !before) onAgain(false);
  }, [live, before, onAgain]);
  return (
    <div style={{ minHeight: height }} className="flex items-start py-1">
      <button
        type="button"
        onClick={() => onAgain(false)}
        className="-mx-2 flex min-h-8 items-center gap-2 rounded-md px-2 text-left text-sm text-muted hover:bg-hover hover:text-ink phone:min-h-11"
      >
        <RotateCw size={13} aria-hidden className="shrink-0 text-accent" />
        {transcriptTexts.answerMissing}
      </button>
    </div>
  );
}
