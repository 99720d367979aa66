// The settings in the palette: the theme as a page of its own, and the way to the dialog.
import { LogOut, Monitor, Moon, Rows3, Settings, Sun } from "lucide-react";
import type { ReactNode } from "react";
import { actionKeys } from "../navigation/action-keys.ts";
import { showOverlay } from "../navigation/overlay.ts";
import { type PalettePage, usePalette } from "../palette/palette-context.ts";
import { Chosen, PaletteItem } from "../palette/palette-item.tsx";
import { usePreferences } from "../preferences/preferences.ts";
import { themeTexts } from "../theme/texts.ts";
import { type ThemeChoice, useTheme } from "../theme/theme.ts";
import { attempt } from "../ui/feedback/attempt.ts";
import { leaveBrowser } from "./leave-browser.ts";
import { settingsTexts } from "./texts.ts";

export function SettingsItems() {
  const { run, open } = usePalette();
  const { density, prefer } = usePreferences();
  return (
    <>
      <PaletteItem
        id="theme"
        label={settingsTexts.themeCommand}
        keywords={["light", "dark", "system", "colours"]}
        icon={<Moon size={15} />}
        onSelect={() => open(themePage())}
      />
      <PaletteItem
        id="settings"
        label={settingsTexts.command}
        keywords={[
          "notifications",
          "preferences",
          "people",
          "invite",
          "account",
          "password",
          "devices",
          "logins",
          "send key",
          "language",
          "version",
        ]}
        icon={<Settings size={15} />}
        shortcut={actionKeys.settings}
        onSelect={() => run(() => showOverlay("settings"))}
      />
      <PaletteItem
        id="density"
        label={settingsTexts.density}
        keywords={[settingsTexts.compact, settingsTexts.comfortable]}
        icon={<Rows3 size={15} />}
        detail={density === "compact" ? settingsTexts.compact : settingsTexts.comfortable}
        onSelect={() => run(() => prefer({ density: density === "compact" ? "comfortable" : "compact" }))}
      />
      <PaletteItem
        id="log out"
        label={settingsTexts.logOut}
        keywords={["logout", "sign out"]}
        icon={<LogOut size={15} />}
        onSelect={() => run(() => attempt(leaveBrowser()))}
      />
    </>
  );
}

const themes = (): readonly { choice: ThemeChoice; label: string; icon: ReactNode }[] => [
  { choice: "system", label: themeTexts.system, icon: <Monitor size={15} /> },
  { choice: "light", label: themeTexts.light, icon: <Sun size={15} /> },
  { choice: "dark", label: themeTexts.dark, icon: <Moon size={15} /> },
];

function Themes() {
  const { run } = usePalette();
  const { choice: chosen, choose } = useTheme();
  return themes().map(({ choice, label, icon }) => (
    <PaletteItem
      key={choice}
      id={choice}
      label={label}
      icon={icon}
      detail={choice === chosen ? <Chosen /> : undefined}
      onSelect={() => run(() => choose(choice))}
    />
  ));
}

const themePage = (): PalettePage => ({
  title: themeTexts.title,
  placeholder: settingsTexts.themePrompt,
  Items: Themes,
});
