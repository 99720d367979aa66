// Calls that a model made together: one line that says how many and how they went, and the calls under it. Many that
// are over fold to the line.
import type { ToolCallBlock, ToolResultBlock, ToolRun } from "@patchbay/protocol";
import { ChevronRight } from "lucide-react";
import { memo } from "react";
import { useFeedState } from "../../connection/use-feed.ts";
import { formatDuration, isNoticeable } from "../../format/time.ts";
import { groupId } from "../entries/content-groups.ts";
import { resultsOf } from "../entries/entries.ts";
import { useOpenCards } from "./open-cards.ts";
import { toolsTexts as texts } from "./texts.ts";
import { ToolCard } from "./tool-card.tsx";

/** More than these are not read line by line once they are over. */
const readable = 5;

export const ToolGroup = memo(function ToolGroup({ calls }: { calls: readonly ToolCallBlock[] }) {
  const id = groupId(calls);
  const progress = useFeedState(({ transcript }) =>
    progressOf(calls, resultsOf(transcript.messages), transcript.partial?.tools ?? []),
  );
  const isWaiting = useFeedState(
    ({ session }) =>
      session?.pending.some(({ call_id }) => calls.some((call) => call.id === call_id)) ?? false,
  );
  const chosen = useOpenCards((cards) => cards.chosen.get(id));
  const choose = useOpenCards((cards) => cards.choose);
  const { done, failed, longest } = readProgress(progress);
  const open = chosen ?? (done < calls.length || calls.length <= readable);
  return (
    <section aria-label={texts.calls(calls.length)} data-tools={calls.length} className="my-1">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => choose(id, !open)}
        className="-mx-2 flex min-h-8 w-[calc(100%+1rem)] min-w-0 items-center gap-2 rounded-md px-2 text-left text-sm hover:bg-hover phone:min-h-11"
      >
        <ChevronRight
          size={14}
          aria-hidden
          className={`shrink-0 text-faint transition-transform duration-150 ${open ? "rotate-90" : ""}`}
        />
        <span className="shrink-0 text-muted">{texts.calls(calls.length)}</span>
        <span className="min-w-0 truncate text-xs text-faint">{verbsOf(calls)}</span>
        <span className="ml-auto flex shrink-0 items-center gap-1.5 pl-2 text-xs text-faint tabular-nums">
          {isWaiting && <span className="text-accent">{texts.waiting}</span>}
          {done < calls.length && (
            <span className={isWaiting ? "" : "text-working"}>{texts.progress(done, calls.length)}</span>
          )}
          {failed > 0 && <span className="text-failed">{texts.someFailed(failed)}</span>}
          {done === calls.length && isNoticeable(longest) && formatDuration(longest)}
        </span>
      </button>
      {open && (
        <div className="ml-[0.4375rem] border-l border-edge pl-[0.9rem]">
          {calls.map((call) => (
            <ToolCard key={call.id} id={call.id} name={call.name} args={call.args} />
          ))}
        </div>
      )}
    </section>
  );
});

/** "read ×3, grep" */
function verbsOf(calls: readonly ToolCallBlock[]): string {
  const counts = new Map<string, number>();
  for (const { name } of calls) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} ×${count}`)).join(", ");
}

/** As a text, so that a store that changed in other ways changes nothing here. */
function progressOf(
  calls: readonly ToolCallBlock[],
  results: ReadonlyMap<string, ToolResultBlock>,
  runs: readonly ToolRun[],
): string {
  let done = 0;
  let failed = 0;
  let longest = 0;
  for (const { id } of calls) {
    const run = runs.find((tool) => tool.id === id && tool.state === "done");
    const result = results.get(id) ?? run;
    if (result === undefined) continue;
    done++;
    if (result.is_error === true) failed++;
    longest = Math.max(longest, result.duration_ms ?? 0);
  }
  return `${done} ${failed} ${longest}`;
}

function readProgress(progress: string): { done: number; failed: number; longest: number } {
  const [done = 0, failed = 0, longest = 0] = progress.split(" ").map(Number);
  return { done, failed, longest };
}
