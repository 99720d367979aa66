// Shows what floats over the page. Each is loaded when it is first wanted, so that it costs the first load nothing.
import { lazy, Suspense, useEffect } from "react";
import { type Overlay, show, useOverlay } from "./navigation/overlay.ts";
import { EarlyKeys } from "./palette/palette-input-placeholder.tsx";
import { useGlobalKeys } from "./shortcuts/use-global-keys.ts";
import { comboboxPart } from "./ui/combobox/combobox.tsx";
import { Complaint } from "./ui/feedback/problem-toast.tsx";
import { menuPart } from "./ui/menu/menu.tsx";

type Loaded = React.LazyExoticComponent<(props: { onClose(): void }) => React.ReactNode>;

const lazily: Readonly<Record<Overlay, Loaded>> = {
  palette: lazy(() => import("./app-palette.tsx")),
  shortcuts: lazy(() => import("./shortcuts/shortcut-sheet.tsx")),
  settings: lazy(() => import("./settings/settings-dialog.tsx")),
  "new-session": lazy(async () => ({
    default: (await import("./new-session/new-session-dialog.tsx")).NewSession,
  })),
};

/** When the page has shown what it was opened for, what its first press needs is fetched. */
const settledMs = 1_500;

export function OverlayHost() {
  useGlobalKeys();
  useEffect(() => {
    const timer = setTimeout(() => {
      // What cannot be had now is asked for again when it is wanted.
      for (const part of [menuPart, comboboxPart]) part.load().catch(() => {});
    }, settledMs);
    return () => clearTimeout(timer);
  }, []);
  const shown = useOverlay((overlay) => overlay.shown);
  const Shown = shown === null ? null : lazily[shown];
  return (
    <>
      <Suspense fallback={shown === "palette" && <EarlyKeys />}>
        {Shown !== null && <Shown onClose={() => show(null)} />}
      </Suspense>
      <Complaint />
    </>
  );
}
