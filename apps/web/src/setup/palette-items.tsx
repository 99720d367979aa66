// The way from the palette to the setup page.
import { Bot } from "lucide-react";
import { go } from "../navigation/session-address.ts";
import { usePalette } from "../palette/palette-context.ts";
import { PaletteItem } from "../palette/palette-item.tsx";
import { setupTexts } from "./texts.ts";

export function SetupItem() {
  const { run } = usePalette();
  return (
    <PaletteItem
      id="setup"
      label={setupTexts.title}
      keywords={["setup", "install", "api keys", "providers", "sign in"]}
      icon={<Bot size={15} />}
      onSelect={() => run(() => go("/setup"))}
    />
  );
}
