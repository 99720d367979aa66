// The choice between light, dark and the system's own.
import { Monitor, Moon, Sun } from "lucide-react";
import { IconButton } from "../ui/icon-button.tsx";
import { Menu, MenuItem } from "../ui/menu/menu.tsx";
import { themeTexts } from "./texts.ts";
import { useTheme } from "./theme.ts";

const icons = { system: Monitor, light: Sun, dark: Moon } as const;

export function ThemeMenu() {
  const { choice, choose } = useTheme();
  const Icon = icons[choice];
  return (
    <Menu
      trigger={
        <IconButton label={themeTexts.title}>
          <Icon size={15} aria-hidden />
        </IconButton>
      }
    >
      <MenuItem icon={<Monitor size={14} />} onSelect={() => choose("system")}>
        {themeTexts.system}
      </MenuItem>
      <MenuItem icon={<Sun size={14} />} onSelect={() => choose("light")}>
        {themeTexts.light}
      </MenuItem>
      <MenuItem icon={<Moon size={14} />} onSelect={() => choose("dark")}>
        {themeTexts.dark}
      </MenuItem>
    </Menu>
  );
}
