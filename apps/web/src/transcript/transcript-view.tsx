// The transcript: one column, one left edge, one owner of its scroll position. Only what is near the view is on
// the page, so that opening a session costs the same whatever its length.
import { type BranchPoint, branchPoints, type Transcript } from "@patchbay/protocol";
import { ArrowDown } from "lucide-react";
import { Suspense, useCallback, useEffect, useMemo, useState } from "react";
import { FileLinkContext } from "../code/file-links.tsx";
import { useFeed, useFeedState } from "../connection/use-feed.ts";
import { grouped } from "../format/number.ts";
import { useMessageLink } from "../navigation/use-message-link.ts";
import { lazyPart } from "../ui/lazy-part.ts";
import { liveEntry, retryOf, settledEntries, type TranscriptEntry } from "./entries/entries.ts";
import type { SoughtRow } from "./find/find-bar.tsx";
import { useFindKey } from "./find/use-find-key.ts";
import { registerFind, registerJump } from "./jumps.ts";
import type { LinkedRow } from "./message-link/follow-link.tsx";
import { BranchWalk } from "./messages/branch-walk.tsx";
import { preloadMarkdown } from "./messages/text.tsx";
import { useRowList } from "./rows/use-row-list.ts";
import { transcriptTexts } from "./texts.ts";
import { TranscriptRow } from "./transcript-row.tsx";
import { useFileLinker } from "./use-file-linker.ts";
import { WorkingLine } from "./working-line.tsx";

const RunningCommand = lazyPart(async () => ({
  default: (await import("./messages/person-command.tsx")).RunningCommand,
}));

const FollowLink = lazyPart(() => import("./message-link/follow-link.tsx"));

const FindBar = lazyPart(() => import("./find/find-bar.tsx"));

interface Props {
  /** Lets the composer bring the end back into view when a prompt is sent. */
  onReady(jump: () => void): void;
}

export function TranscriptView({ onReady }: Props) {
  const transcript = useFeedState((feed) => feed.transcript);
  const points = useBranchPoints(transcript);
  const entries = useEntries(transcript, points);
  const { list, view, scroller, above, below } = useRowList(entries);
  const link = useMessageLink();
  const [linked, setLinked] = useState<LinkedRow | null>(null);
  // Not a row, but its output is followed too: the list is told when it grows.
  const commands = useCallback((element: HTMLDivElement) => list.mount("running commands", element), [list]);
  const [jump] = useState(() => () => list.jump());
  useEffect(() => onReady(jump), [onReady, jump]);
  const { id } = useFeed();
  useEffect(() => registerJump(id, jump), [id, jump]);
  useEffect(() => {
    preloadMarkdown().catch(() => {}); // loading failed: the first answer tries again
  }, []);
  const find = useFind(id);
  const linker = useFileLinker();
  const fresh = points.find(({ at }) => at === transcript.messages.length);
  const retry = useMemo(() => retryOf(transcript), [transcript]);
  return (
    <div className="@container relative min-h-0 flex-1">
      {(link.time !== null || link.find !== "") && (
        <Suspense>
          <FollowLink entries={entries} list={list} onLinked={setLinked} />
        </Suspense>
      )}
      {find.isOpen && (
        <Suspense>
          <FindBar
            entries={entries}
            list={list}
            scroller={scroller}
            onSought={find.setSought}
            onClose={find.close}
          />
        </Suspense>
      )}
      {/* The transcript scrolls with the keyboard */}
      <div
        ref={scroller}
        tabIndex={0}
        role="log"
        aria-label={transcriptTexts.transcript}
        aria-live="off"
        className="relative h-full overflow-y-auto overscroll-contain [contain:strict] [overflow-anchor:none] focus-visible:-outline-offset-2"
      >
        <div className="mx-auto w-full max-w-[820px] px-8 pt-2 pb-8 phone:px-4 phone:pt-0">
          <div ref={above} aria-hidden />
          <FileLinkContext value={linker}>
            {entries.slice(view.first, view.last + 1).map((entry) => (
              <TranscriptRow
                key={entry.key}
                list={list}
                entry={entry}
                retry={entry.kind === "mark" && entry.mark === retry?.mark ? retry.prompt : null}
                linked={entry.key === linked?.key}
                matches={entry.key === linked?.key ? linked.matches : null}
                sought={entry.key === find.sought?.key ? find.sought.matches : null}
              />
            ))}
          </FileLinkContext>
          <div ref={below} aria-hidden />
          <div ref={commands}>
            <Suspense>
              {transcript.bash.map((run) => (
                <RunningCommand key={run.id} run={run} />
              ))}
            </Suspense>
          </div>
          {fresh !== undefined && transcript.partial === null && <FreshBranch point={fresh} />}
          <WorkingLine />
        </div>
      </div>
      {!view.follows && !view.atEnd && <JumpButton fresh={view.fresh} onClick={jump} />}
    </div>
  );
}

/** Whether the find bar is open, and the row that it leads to. */
function useFind(session: string) {
  const [isOpen, setOpen] = useState(false);
  const [sought, setSought] = useState<SoughtRow | null>(null);
  const open = useCallback(() => {
    const field = document.querySelector<HTMLInputElement>(`[data-find="${CSS.escape(session)}"] input`);
    if (field === null) return setOpen(true);
    field.focus();
    field.select();
  }, [session]);
  const close = useCallback(() => setOpen(false), []);
  useFindKey(session, open);
  useEffect(() => registerFind(session, open), [session, open]);
  return { isOpen, sought, setSought, close };
}

function useEntries(transcript: Transcript, points: readonly BranchPoint[]): readonly TranscriptEntry[] {
  const { messages, marks } = transcript;
  const settled = useMemo(() => settledEntries(messages, marks, points), [messages, marks, points]);
  const live = liveEntry(transcript);
  return live === null ? settled : [...settled, live];
}

/** Branches change rarely, and deltas arrive often. */
function useBranchPoints(transcript: Transcript): readonly BranchPoint[] {
  const { branches, branch } = transcript;
  const [known, setKnown] = useState({ branches, branch, points: branchPoints(transcript) });
  if (known.branches === branches && known.branch === branch) return known.points;
  const points = branchPoints(transcript);
  setKnown({ branches, branch, points });
  return points;
}

/** The conversation went back and has no new prompt yet: the branch that was left is one step away. */
const FreshBranch = ({ point }: { point: BranchPoint }) => (
  <p className="mt-5 flex flex-wrap items-center gap-2 text-xs text-faint">
    <BranchWalk point={point} /> {transcriptTexts.newBranch}
  </p>
);

/** Beside the column where there is room, else in the corner, so that it covers little text. */
const JumpButton = ({ fresh, onClick }: { fresh: number; onClick(): void }) => (
  <button
    type="button"
    onClick={onClick}
    title={transcriptTexts.jump}
    className="absolute right-3 bottom-3 flex h-8 min-w-8 animate-appear items-center justify-center gap-1.5 rounded-full bg-raised px-2 text-sm whitespace-nowrap text-ink shadow-float hover:bg-hover @min-[1150px]:px-3 phone:h-11 phone:min-w-11"
  >
    <ArrowDown size={15} aria-hidden />
    <span className="sr-only @min-[1150px]:not-sr-only">{transcriptTexts.jump}</span>
    {fresh > 0 && (
      <span className="pr-1 text-accent tabular-nums">
        <span className="sr-only @min-[1150px]:not-sr-only">· </span>
        {transcriptTexts.fresh(grouped(fresh))}
      </span>
    )}
  </button>
);
