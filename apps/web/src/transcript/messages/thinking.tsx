// What a model thought, folded: its last line while it thinks, and how long it took afterwards.
import { ChevronRight } from "lucide-react";
import { memo, useContext, useState } from "react";
import { useElapsed } from "../../device/use-elapsed.ts";
import { formatDuration, isNoticeable } from "../../format/time.ts";
import { MatchContext } from "../message-link/match-context.ts";
import { transcriptTexts } from "../texts.ts";

interface Props {
  text: string;
  duration: number | undefined;
  live: boolean;
}

export const Thinking = memo(function Thinking({ text, duration, live }: Props) {
  const matches = useContext(MatchContext);
  const [chosen, setOpen] = useState<boolean | null>(null);
  const open = chosen ?? (matches !== null && matches.terms.every((term) => text.search(term) !== -1));
  const elapsed = useElapsed(live);
  // Seen from start to end, the time it took is known here even when the worker does not say.
  const took = duration ?? (elapsed >= 1_000 ? elapsed : undefined);
  const lastLine = text.slice(-400).trimEnd().split("\n").at(-1) ?? "";
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="-mx-2 flex min-h-8 w-[calc(100%+1rem)] min-w-0 items-center gap-2 rounded-md px-2 text-left text-sm text-muted hover:bg-hover phone:min-h-11"
      >
        <ChevronRight
          size={14}
          aria-hidden
          className={`shrink-0 text-faint transition-transform duration-150 ${open ? "rotate-90" : ""}`}
        />
        <span className="shrink-0">
          {live
            ? transcriptTexts.thinking
            : took === undefined || !isNoticeable(took)
              ? transcriptTexts.thought
              : transcriptTexts.thoughtFor(formatDuration(took))}
        </span>
        {live && !open && <span className="min-w-0 truncate text-xs text-faint">{lastLine.slice(-160)}</span>}
      </button>
      {open && (
        <div
          dir="auto"
          className="mt-1 mb-2 ml-[0.4375rem] max-w-[76ch] animate-appear border-l border-edge pl-[0.9rem] text-sm leading-[1.4rem] whitespace-pre-wrap text-muted [overflow-wrap:anywhere]"
        >
          {text.trim()}
        </div>
      )}
    </div>
  );
});
