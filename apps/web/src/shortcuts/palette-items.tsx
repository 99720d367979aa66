// The way from the palette to the list of shortcuts.
import { Keyboard } from "lucide-react";
import { showOverlay } from "../navigation/overlay.ts";
import { usePalette } from "../palette/palette-context.ts";
import { PaletteItem } from "../palette/palette-item.tsx";

export function ShortcutsItem() {
  const { run } = usePalette();
  return (
    <PaletteItem
      id="shortcuts"
      label="Shortcuts"
      keywords={["keys", "keyboard", "help"]}
      icon={<Keyboard size={15} />}
      shortcut="?"
      onSelect={() => run(() => showOverlay("shortcuts"))}
    />
  );
}
