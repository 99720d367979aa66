// One tool call: a single line that opens in place. A running one is open, so that what happens can be
// watched; a finished one folds to its line unless the reader opened it.
import { ChevronRight } from "lucide-react";
import { memo, Suspense } from "react";
import { useFeedState } from "../../connection/use-feed.ts";
import { lazyPart } from "../../ui/lazy-part.ts";
import { resultsOf } from "../entries/entries.ts";
import { describeTool } from "./describe-tool.ts";
import { useOpenCards } from "./open-cards.ts";
import { hasPicture, toolState } from "./tool-state.ts";
import { ToolStatus } from "./tool-status.tsx";

/** A chunk of its own: most cards are never opened. */
const ToolBody = lazyPart(() => import("./tool-body.tsx"));

interface Props {
  id: string;
  name: string;
  args: unknown;
}

export const ToolCard = memo(function ToolCard({ id, name, args }: Props) {
  const cwd = useFeedState((feed) => feed.session?.cwd ?? "");
  const run = useFeedState((feed) => feed.transcript.partial?.tools.find((tool) => tool.id === id));
  const result = useFeedState((feed) => resultsOf(feed.transcript.messages).get(id));
  const question = useFeedState(
    ({ session }) => session?.pending.findIndex(({ call_id }) => call_id === id) ?? -1,
  );
  const state = toolState(result, run, question);
  const given = args ?? run?.args ?? null;
  const chosen = useOpenCards((cards) => cards.chosen.get(id));
  const choose = useOpenCards((cards) => cards.choose);
  const shape = describeTool(name, given, state, cwd);
  // A running tool is watched, and a picture is there to be seen.
  const open = chosen ?? ((state.state === "running" && shape.watchable) || hasPicture(state));
  // The approval shows the call, all of it: here it would stand a second time.
  const isOnCard = state.state === "waiting" && state.isOnCard;
  const body = `tool-${id}`;
  return (
    <div data-tool={name} data-state={state.state} className="min-w-0">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={body}
        onClick={() => choose(id, !open)}
        className="group -mx-2 flex min-h-8 w-[calc(100%+1rem)] min-w-0 items-center gap-2 rounded-md px-2 text-left text-sm hover:bg-hover phone:min-h-11"
      >
        <ChevronRight
          size={14}
          aria-hidden
          className={`shrink-0 text-faint transition-transform duration-150 ${open ? "rotate-90" : ""}`}
        />
        <span className="shrink-0 font-mono text-muted">{shape.verb}</span>
        <span className="min-w-0 truncate font-mono text-ink">{isOnCard ? "" : shape.object}</span>
        {shape.change !== null && !isOnCard && (
          <span className="shrink-0 font-mono text-xs tabular-nums">
            <span className="text-added-ink">+{shape.change.added}</span>{" "}
            <span className="text-removed-ink">−{shape.change.removed}</span>
          </span>
        )}
        {shape.detail !== "" && !isOnCard && (
          <span className="shrink-0 text-xs text-faint">{shape.detail}</span>
        )}
        <ToolStatus state={state} exit={shape.exit} />
      </button>
      {open && (
        <div id={body} className="mt-1 mb-2 ml-[1.375rem] animate-appear">
          <Suspense fallback={<div className="h-10 rounded-md border border-line bg-sunken" />}>
            <ToolBody name={name} shape={shape} state={state} args={given} />
          </Suspense>
        </div>
      )}
    </div>
  );
});
