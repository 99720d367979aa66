// A link can name a message of another branch than the one that is shown: offers to switch to it.
import type { Transcript } from "@patchbay/protocol";
import { GitBranch } from "lucide-react";
import { useMemo } from "react";
import { useCan } from "../../connection/use-can.ts";
import { useFeed, useFeedState } from "../../connection/use-feed.ts";
import { useMessageLink } from "../../navigation/use-message-link.ts";
import { attempt } from "../../ui/feedback/attempt.ts";
import { bannersTexts } from "./texts.ts";

export function BranchBanner() {
  const feed = useFeed();
  const { time: at } = useMessageLink();
  const messages = useFeedState(({ transcript }) => transcript.messages);
  const branches = useFeedState(({ transcript }) => transcript.branches);
  const can = useCan("branch");
  const atRest = useFeedState(({ session }) => session?.state === "idle" || session?.state === "stopped");
  const branch = useMemo(
    () => (at === null ? null : otherBranchWith({ messages, branches }, at)),
    [messages, branches, at],
  );
  if (branch === null || !can) return null;
  return (
    <p
      role="status"
      className="flex animate-appear items-center gap-2.5 border-b border-line bg-raised px-5 py-1.5 text-sm phone:px-4"
    >
      <GitBranch size={14} aria-hidden className="shrink-0 text-faint" />
      <span className="min-w-0 flex-1 text-muted">{bannersTexts.otherBranch}</span>
      <button
        type="button"
        disabled={!atRest}
        title={atRest ? undefined : bannersTexts.whenIdle}
        onClick={() => attempt(feed.ask({ type: "switch_branch", branch }))}
        className="h-7 rounded-md px-2 font-medium text-accent hover:bg-hover disabled:text-faint phone:h-11"
      >
        {bannersTexts.showBranch}
      </button>
    </p>
  );
}

/** The branch that has a message of that time, when the one that is shown has none. */
export function otherBranchWith(
  { messages, branches }: Pick<Transcript, "messages" | "branches">,
  time: number,
): string | null {
  const isIt = (message: { time: string }): boolean => Date.parse(message.time) === time;
  if (messages.some(isIt)) return null;
  return branches.find((branch) => branch.shares !== null && branch.messages.some(isIt))?.id ?? null;
}
