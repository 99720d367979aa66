// Shows the overlay that is open, if any. Each is loaded when it is first opened, so that it costs the first load nothing.
import { Suspense, useEffect } from "react";
import { type Overlay, showOverlay, useOverlay } from "./navigation/overlay.ts";
import { PaletteInputPlaceholder } from "./palette/palette-input-placeholder.tsx";
import { useGlobalKeys } from "./shortcuts/use-global-keys.ts";
import { comboboxPopup } from "./ui/combobox/combobox.tsx";
import { ProblemToast } from "./ui/feedback/problem-toast.tsx";
import { lazyPart } from "./ui/lazy-part.ts";
import { menuPopup } from "./ui/menu/menu.tsx";

type Loaded = React.ComponentType<{ onClose(): void }>;

const lazily: Readonly<Record<Overlay, Loaded>> = {
  palette: lazyPart(() => import("./app-palette.tsx")),
  shortcuts: lazyPart(() => import("./shortcuts/shortcut-sheet.tsx")),
  settings: lazyPart(() => import("./settings/settings-dialog.tsx")),
  permissions: lazyPart(() => import("./questions/permissions-dialog.tsx")),
  "new-session": lazyPart(async () => ({
    default: (await import("./new-session/new-session-dialog.tsx")).NewSessionDialog,
  })),
};

/** By then the page has shown what it was opened for, and the popups of its first press are prefetched. */
const settledMs = 1_500;

export function OverlayHost() {
  useGlobalKeys();
  useEffect(() => {
    const timer = setTimeout(() => {
      // What fails to load now is loaded when it is opened.
      for (const part of [menuPopup, comboboxPopup]) part.load().catch(() => {});
    }, settledMs);
    return () => clearTimeout(timer);
  }, []);
  const shown = useOverlay((overlay) => overlay.shown);
  const Shown = shown === null ? null : lazily[shown];
  return (
    <>
      <Suspense fallback={shown === "palette" && <PaletteInputPlaceholder />}>
        {Shown !== null && <Shown onClose={() => showOverlay(null)} />}
      </Suspense>
      <ProblemToast />
    </>
  );
}
