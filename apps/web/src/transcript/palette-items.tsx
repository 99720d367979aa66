// What the palette does with the transcript of the open session: retry its last prompt, jump to its end, switch branches.
import { describeBranches } from "@patchbay/protocol";
import { CornerRightDown, GitBranch, RotateCw, TextSearch } from "lucide-react";
import { useMemo } from "react";
import { isAtWork } from "../connection/is-at-work.ts";
import { useCan } from "../connection/use-can.ts";
import { useFeed, useFeedState } from "../connection/use-feed.ts";
import { type PalettePage, usePalette } from "../palette/palette-context.ts";
import { Chosen, PaletteItem } from "../palette/palette-item.tsx";
import { attempt } from "../ui/feedback/attempt.ts";
import { retryOf } from "./entries/entries.ts";
import { findOf, jumpOf } from "./jumps.ts";
import { transcriptTexts } from "./texts.ts";

export function RetryItem() {
  const feed = useFeed();
  const { run } = usePalette();
  const transcript = useFeedState((state) => state.transcript);
  const retry = useMemo(() => retryOf(transcript), [transcript]);
  const isReady = useFeedState(
    ({ session, sending }) =>
      session !== null && !isAtWork(session) && session.state !== "starting" && sending.length === 0,
  );
  if (retry === null || !isReady) return null;
  return (
    <PaletteItem
      id="retry"
      label={transcriptTexts.retryLast}
      keywords={["again", "send"]}
      icon={<RotateCw size={15} />}
      onSelect={() => run(() => feed.prompt(retry.prompt.message, retry.prompt.images))}
    />
  );
}

export function JumpItem() {
  const { id } = useFeed();
  const { run } = usePalette();
  const jump = jumpOf(id);
  if (jump === undefined) return null;
  return (
    <PaletteItem
      id="jump"
      label={transcriptTexts.jump}
      keywords={["end", "bottom", "newest"]}
      icon={<CornerRightDown size={15} />}
      onSelect={() => run(jump)}
    />
  );
}

export function FindItem() {
  const { id } = useFeed();
  const { run } = usePalette();
  const find = findOf(id);
  if (find === undefined) return null;
  return (
    <PaletteItem
      id="find"
      label={transcriptTexts.find}
      keywords={["search", "text"]}
      icon={<TextSearch size={15} />}
      // The palette gives the focus back when it closes: the bar takes it after that.
      onSelect={() => run(() => void setTimeout(find, 50))}
    />
  );
}

export function BranchesItem() {
  const { open } = usePalette();
  const can = useCan("branch");
  const atRest = useFeedState(({ session }) => session?.state === "idle" || session?.state === "stopped");
  const branches = useFeedState(({ transcript }) => transcript.branches.length);
  if (!can || !atRest || branches < 2) return null;
  return (
    <PaletteItem
      id="branches"
      label={transcriptTexts.showBranch}
      keywords={["walk", "switch", "history"]}
      icon={<GitBranch size={15} />}
      onSelect={() => open(branchesPage)}
    />
  );
}

function Branches() {
  const feed = useFeed();
  const { run } = usePalette();
  const transcript = useFeedState((state) => state.transcript);
  const { branch: shown, branches } = useMemo(() => describeBranches(transcript), [transcript]);
  return branches.map(({ branch, text, message_count }) => (
    <PaletteItem
      key={branch}
      id={branch}
      label={text === "" ? transcriptTexts.emptyBranch : text}
      icon={branch === shown ? <Chosen /> : <GitBranch size={15} />}
      detail={transcriptTexts.messages(message_count)}
      below
      onSelect={() => run(() => branch !== shown && attempt(feed.ask({ type: "switch_branch", branch })))}
    />
  ));
}

const branchesPage: PalettePage = {
  get title() {
    return transcriptTexts.branches;
  },
  get placeholder() {
    return transcriptTexts.branchesPlaceholder;
  },
  Items: Branches,
};
