// Lines that an extension keeps above or below the composer, with their terminal colours.

import { Ansi } from "../code/terminal/ansi.tsx";
import { useFeedState } from "../connection/use-feed.ts";
import { extensionUiTexts as texts } from "./texts.ts";

export function Widgets({ placement }: { placement: "above" | "below" }) {
  const widgets = useFeedState((feed) => feed.transcript.surface.widgets);
  return widgets
    .filter((widget) => widget.placement === placement)
    .map((widget) => (
      <section
        key={widget.key}
        aria-label={texts.widget(widget.key)}
        className={`rounded-md border border-line bg-raised ${placement === "above" ? "mb-2" : "mt-2"}`}
      >
        <pre
          // What scrolls must scroll with the keyboard
          tabIndex={0}
          role="group"
          aria-label={widget.key}
          className="max-h-40 overflow-y-auto px-3 py-1.5 font-mono text-xs leading-5 whitespace-pre-wrap text-muted [overflow-wrap:anywhere]"
        >
          <Ansi text={widget.lines.join("\n")} />
        </pre>
      </section>
    ));
}
