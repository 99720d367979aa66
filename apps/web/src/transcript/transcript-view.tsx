// The transcript: one column, one left edge. Long sessions start with their end and show more on
// demand, so that opening one costs the same whatever its length.
import { type BranchPoint, branchPoints, type Transcript } from "@patchbay/protocol";
import { ArrowDown } from "lucide-react";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useFeedState } from "../connection/use-feed.ts";
import { plural } from "../format/plural.ts";
import { BranchWalk } from "./branch-walk.tsx";
import { liveEntry, retryOf, settledEntries } from "./entries.ts";
import { EntryView } from "./entry-view.tsx";
import { RunningCommand } from "./person-command.tsx";
import { ScrollOwner } from "./scroll-owner.ts";
import { preloadMarkdown } from "./text.tsx";
import { WorkingLine } from "./working-line.tsx";

/** About fifty turns; each "earlier" adds as many. */
const page = 200;

interface Props {
  /** Lets the composer bring the end back into view when a prompt is sent. */
  onReady(jump: () => void): void;
}

export function TranscriptView({ onReady }: Props) {
  const transcript = useFeedState((feed) => feed.transcript);
  const [shown, setShown] = useState(page);
  const { scroller, content, follows, jump } = useScrollOwner();
  useEffect(() => onReady(jump), [onReady, jump]);
  useEffect(preloadMarkdown, []);
  const points = useBranchPoints(transcript);
  const settled = useMemo(
    () => settledEntries(transcript.messages, transcript.marks, points),
    [transcript.messages, transcript.marks, points],
  );
  const fresh = points.find(({ at }) => at === transcript.messages.length);
  const retry = useMemo(() => retryOf(transcript), [transcript]);
  const live = liveEntry(transcript);
  const hidden = Math.max(0, settled.length - shown);
  return (
    <div className="relative min-h-0 flex-1">
      {/* The transcript scrolls with the keyboard */}
      <div
        ref={scroller}
        tabIndex={0}
        role="log"
        aria-label="Transcript"
        aria-live="off"
        className="h-full overflow-y-auto overscroll-contain [overflow-anchor:none] focus-visible:-outline-offset-2"
      >
        <div
          ref={content}
          className="mx-auto flex w-full max-w-[820px] flex-col px-8 pt-6 pb-8 phone:px-4 phone:pt-4"
        >
          {hidden > 0 && (
            <button
              type="button"
              onClick={() => setShown((count) => count + page)}
              className="mb-4 self-center rounded-md border border-line px-3 py-1.5 text-sm text-muted hover:bg-hover hover:text-ink"
            >
              Show earlier ({plural(hidden, "entry", "entries")})
            </button>
          )}
          {settled.slice(hidden).map((entry) => (
            <EntryView
              key={entry.key}
              entry={entry}
              retry={entry.kind === "mark" && entry.mark === retry?.mark ? retry.prompt : null}
            />
          ))}
          {live !== null && <EntryView key={live.key} entry={live} retry={null} />}
          {transcript.bash.map((run) => (
            <RunningCommand key={run.id} run={run} />
          ))}
          {fresh !== undefined && transcript.partial === null && <FreshBranch point={fresh} />}
          <WorkingLine />
        </div>
      </div>
      {!follows && (
        <button
          type="button"
          onClick={jump}
          className="absolute bottom-3 left-1/2 flex h-8 -translate-x-1/2 animate-appear items-center gap-1.5 rounded-full bg-raised px-3 text-sm text-ink shadow-float hover:bg-hover phone:h-11"
        >
          <ArrowDown size={14} aria-hidden /> Jump to latest
        </button>
      )}
    </div>
  );
}

/** Branches come and go rarely; deltas often. */
function useBranchPoints(transcript: Transcript): readonly BranchPoint[] {
  const { branches, branch } = transcript;
  const [known, setKnown] = useState({ branches, branch, points: branchPoints(transcript) });
  if (known.branches === branches && known.branch === branch) return known.points;
  const points = branchPoints(transcript);
  setKnown({ branches, branch, points });
  return points;
}

/** Gone back, and nothing was said yet: the way that was left is one step away. */
const FreshBranch = ({ point }: { point: BranchPoint }) => (
  <p className="mt-5 flex flex-wrap items-center gap-2 text-xs text-faint">
    <BranchWalk point={point} /> What you write next goes on from here; the other way is kept.
  </p>
);

function useScrollOwner() {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const owner = useRef<ScrollOwner | null>(null);
  const [follows, setFollows] = useState(true);
  useLayoutEffect(() => {
    const element = scroller.current;
    const inner = content.current;
    if (element === null || inner === null) return;
    const made = new ScrollOwner(element, setFollows);
    owner.current = made;
    const sizes = new ResizeObserver(() => made.resized());
    sizes.observe(element);
    sizes.observe(inner);
    const onScroll = (): void => made.scrolled();
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener("scroll", onScroll);
    };
  }, []);
  const [jump] = useState(() => () => owner.current?.jump());
  return { scroller, content, follows, jump };
}
