// The panel of an extension, above the composer. It has the keyboard while it has the focus, and gives it
// back with Esc or Shift+Tab; a finger has the keys that panels use most as buttons.
import type { PanelState } from "@patchbay/protocol";
import { ArrowDown, ArrowUp, CornerDownLeft, Delete, X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Ansi } from "../code/terminal/ansi.tsx";
import { useFeed, useFeedState } from "../connection/use-feed.ts";
import { errorMessage } from "../format/error-message.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { type PanelKey, panelKey } from "./panel-keys.ts";
import { extensionUiTexts as texts } from "./texts.ts";

export function ExtensionPanels() {
  const panel = useFeedState((feed) => feed.transcript.surface.panels.at(-1));
  if (panel === undefined) return null;
  return <OpenPanel key={`${panel.extension}/${panel.id}`} panel={panel} />;
}

function OpenPanel({ panel }: { panel: PanelState }) {
  const feed = useFeed();
  const [problem, setProblem] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // It was opened by a command of the person's: what they type next is for it.
    if (matchMedia("(pointer: fine)").matches) box.current?.focus();
  }, []);
  const ask = (command: { type: string; [field: string]: unknown }): void => {
    feed.ask({ ...command, panel: panel.id, extension: panel.extension }).then(
      () => setProblem(null),
      (error: unknown) => setProblem(errorMessage(error)),
    );
  };
  const press = (key: PanelKey): void => ask({ type: "panel_key", ...key });
  const close = (): void => ask({ type: "panel_close" });
  const onKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") close();
    else {
      const key = panelKey(event);
      if (key === null) return;
      press(key);
    }
    event.preventDefault();
  };
  return (
    <section
      aria-label={texts.panel(panel.title)}
      className="mb-2 flex max-h-[calc(var(--seen)*0.5)] animate-appear flex-col overflow-hidden rounded-md border border-edge bg-raised focus-within:border-accent"
    >
      <header className="flex min-h-9 items-center gap-2 border-b border-line pl-3 text-sm">
        <h2 className="min-w-0 truncate font-medium">{panel.title}</h2>
        <span className="shrink-0 text-xs text-faint">{panel.extension}</span>
        <span className="ml-auto">
          <IconButton label={texts.closePanel} onClick={close}>
            <X size={15} aria-hidden />
          </IconButton>
        </span>
      </header>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- an application has its own keys */}
      <div
        ref={box}
        // A terminal in small: every key pressed here is the extension's
        role="application"
        aria-label={panel.title}
        tabIndex={0}
        onKeyDown={onKey}
        className="min-h-0 flex-1 overflow-auto px-3 py-2 outline-none"
      >
        <pre className="font-mono text-xs leading-5">
          <Ansi text={panel.lines.join("\n")} />
        </pre>
      </div>
      {panel.footer !== "" && (
        <p className="border-t border-line px-3 py-1.5 font-mono text-xs text-faint">
          <Ansi text={panel.footer} />
        </p>
      )}
      <TouchKeys onPress={press} />
      {problem !== null && (
        <p role="alert" className="border-t border-line px-3 py-1.5 text-xs text-failed">
          {problem}
        </p>
      )}
    </section>
  );
}

/** A phone's keyboard has no arrows, and opens only over a field. */
function TouchKeys({ onPress }: { onPress(key: PanelKey): void }) {
  return (
    <div className="hidden items-center gap-1 border-t border-line p-1 pointer-coarse:flex">
      <Key label={texts.up} onPress={() => onPress({ key: "up" })}>
        <ArrowUp size={16} aria-hidden />
      </Key>
      <Key label={texts.down} onPress={() => onPress({ key: "down" })}>
        <ArrowDown size={16} aria-hidden />
      </Key>
      <Key label={texts.enter} onPress={() => onPress({ key: "enter" })}>
        <CornerDownLeft size={16} aria-hidden />
      </Key>
      <Key label={texts.backspace} onPress={() => onPress({ key: "backspace" })}>
        <Delete size={16} aria-hidden />
      </Key>
      <input
        aria-label={texts.typeIntoPanel}
        placeholder={texts.type}
        value=""
        autoCapitalize="off"
        autoCorrect="off"
        onChange={(event) => {
          for (const text of event.target.value) onPress({ key: "rune", text });
        }}
        className="h-11 min-w-0 flex-1 rounded-md border border-edge bg-canvas px-3 text-[1rem]"
      />
    </div>
  );
}

const Key = ({ label, onPress, children }: { label: string; onPress(): void; children: ReactNode }) => (
  <button
    type="button"
    aria-label={label}
    onClick={onPress}
    className="flex size-11 items-center justify-center rounded-md border border-edge text-ink active:bg-hover"
  >
    {children}
  </button>
);
