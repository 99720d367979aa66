// The status texts that extensions report, at the right end of the line below the composer.
import { Ansi } from "../code/terminal/ansi.tsx";
import { useFeedState } from "../connection/use-feed.ts";
import { extensionUiTexts as texts } from "./texts.ts";

export function Statuses() {
  const statuses = useFeedState((feed) => feed.transcript.surface.statuses);
  return (
    <ul
      aria-label={texts.status}
      className="flex min-w-0 flex-1 flex-wrap justify-end gap-x-3 overflow-hidden px-1.5 text-xs text-faint"
    >
      {statuses.map((status) => (
        <li key={status.key} title={status.key} className="max-w-full truncate font-mono">
          <Ansi text={status.text} />
        </li>
      ))}
    </ul>
  );
}
