// The keys there are, as the sheet shows them. Several ways are separated by "|".
import { commandKey } from "../device/command-key.ts";
import { actionKeys } from "../navigation/action-keys.ts";
import { shortcutsTexts } from "./texts.ts";

interface Shortcut {
  keys: string;
  does: string;
}

export const shortcutGroups = (): readonly { title: string; keys: readonly Shortcut[] }[] => [
  {
    title: shortcutsTexts.everywhere,
    keys: [
      { keys: actionKeys.palette, does: shortcutsTexts.palette },
      { keys: `${actionKeys.nextPane}|${actionKeys.previousPane}`, does: shortcutsTexts.panes },
      { keys: actionKeys.newSession, does: shortcutsTexts.newSession },
      { keys: actionKeys.search, does: shortcutsTexts.search },
      { keys: `${actionKeys.previousSession}|${actionKeys.nextSession}`, does: shortcutsTexts.neighbours },
      { keys: actionKeys.settings, does: shortcutsTexts.settings },
      { keys: actionKeys.shortcuts, does: shortcutsTexts.shortcuts },
    ],
  },
  {
    title: shortcutsTexts.session,
    keys: [
      { keys: actionKeys.prompt, does: shortcutsTexts.prompt },
      { keys: actionKeys.files, does: shortcutsTexts.files },
      { keys: actionKeys.split, does: shortcutsTexts.split },
      { keys: actionKeys.closeSplit, does: shortcutsTexts.closeSplit },
      { keys: actionKeys.model, does: shortcutsTexts.model },
      { keys: actionKeys.thinking, does: shortcutsTexts.thinking },
      { keys: actionKeys.rename, does: shortcutsTexts.rename },
      { keys: actionKeys.compact, does: shortcutsTexts.compact },
      { keys: actionKeys.export, does: shortcutsTexts.export },
      { keys: actionKeys.details, does: shortcutsTexts.details },
      { keys: actionKeys.menu, does: shortcutsTexts.menu },
    ],
  },
  {
    title: shortcutsTexts.writing,
    keys: [
      { keys: "⏎", does: shortcutsTexts.send },
      { keys: `${commandKey} ⏎`, does: shortcutsTexts.steer },
      { keys: "⇧ ⏎", does: shortcutsTexts.newLine },
      { keys: "↑|↓", does: shortcutsTexts.history },
      { keys: "/", does: shortcutsTexts.slash },
      { keys: "@", does: shortcutsTexts.mention },
      { keys: "!", does: shortcutsTexts.shell },
      { keys: "Esc", does: shortcutsTexts.stop },
    ],
  },
  {
    title: shortcutsTexts.lists,
    keys: [
      { keys: "↑|↓", does: shortcutsTexts.move },
      { keys: "←|→", does: shortcutsTexts.openClose },
      { keys: "⏎", does: shortcutsTexts.choose },
      { keys: "Tab", does: shortcutsTexts.complete },
      { keys: "Esc", does: shortcutsTexts.close },
    ],
  },
];
