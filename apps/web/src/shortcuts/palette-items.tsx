// The way from the palette to the list of shortcuts.
import { Keyboard } from "lucide-react";
import { actionKeys } from "../navigation/action-keys.ts";
import { showOverlay } from "../navigation/overlay.ts";
import { usePalette } from "../palette/palette-context.ts";
import { PaletteItem } from "../palette/palette-item.tsx";
import { shortcutsTexts } from "./texts.ts";

export function ShortcutsItem() {
  const { run } = usePalette();
  return (
    <PaletteItem
      id="shortcuts"
      label={shortcutsTexts.title}
      keywords={["shortcuts", "keys", "help"]}
      icon={<Keyboard size={15} />}
      shortcut={actionKeys.shortcuts}
      onSelect={() => run(() => showOverlay("shortcuts"))}
    />
  );
}
