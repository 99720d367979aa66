// How full the model's context window is, as of its last call. Without a known window there is no
// scale, and only the tokens are shown.
import { useFeedState } from "../../connection/use-feed.ts";
import { formatTokens } from "../../format/tokens.ts";
import { sessionTexts } from "../texts.ts";

/** From here on the tooltip recommends compacting. */
const high = 80;

export function ContextMeter() {
  const tokens = useFeedState((feed) => feed.transcript.context_tokens);
  const size = useFeedState((feed) => feed.worker?.context_window ?? null);
  if (tokens === null) return null;
  if (size === null || size <= 0) {
    return (
      <span title={sessionTexts.contextUnknown} className="shrink-0 text-xs text-faint tabular-nums">
        {sessionTexts.contextTokens(formatTokens(tokens))}
      </span>
    );
  }
  const percent = Math.min(100, (tokens / size) * 100);
  const shown = percent > 0 && percent < 1 ? "<1" : String(Math.round(percent));
  const full = percent >= high;
  return (
    <span
      title={`${sessionTexts.contextUse(formatTokens(tokens), formatTokens(size))}${full ? `. ${sessionTexts.contextNearlyFull}` : ""}`}
      className="flex shrink-0 items-center gap-2 text-xs whitespace-nowrap text-muted tabular-nums"
    >
      <span
        role="meter"
        aria-label={sessionTexts.contextWindow}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(percent)}
        className="h-1.5 w-14 overflow-hidden rounded-full bg-selected"
      >
        <span
          className={`block h-full rounded-full transition-[width] duration-150 ${full ? "bg-accent" : "bg-muted"}`}
          style={{ width: `${Math.max(percent, percent > 0 ? 4 : 0)}%` }}
        />
      </span>
      {shown} %
    </span>
  );
}
