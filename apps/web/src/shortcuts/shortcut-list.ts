// The keys there are, as the sheet shows them. Several ways are separated by "|".
import { composerTexts } from "../composer/texts.ts";
import { actionKeys } from "../navigation/action-keys.ts";
import { usePreferences } from "../preferences/preferences.ts";
import { sendKeyNames } from "../preferences/send-key.ts";
import { shortcutsTexts } from "./texts.ts";

interface Shortcut {
  keys: string;
  does: string;
}

export function shortcutGroups(): readonly { title: string; keys: readonly Shortcut[] }[] {
  const keys = sendKeyNames(usePreferences.getState().sendKey);
  return [
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
        { keys: keys.send, does: shortcutsTexts.send },
        { keys: keys.steer, does: shortcutsTexts.steer },
        { keys: keys.newLine, does: shortcutsTexts.newLine },
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
    {
      title: shortcutsTexts.commands,
      keys: commands(),
    },
  ];
}

/** By their descriptions: what carries them out would bring the composer into the chunk of the sheet. */
const commands = (): Shortcut[] =>
  Object.entries(composerTexts).flatMap(([key, text]) => {
    const [, name] = /^command_(.+)$/.exec(key) ?? [];
    return name === undefined || typeof text !== "string" ? [] : [{ keys: `/${name}`, does: text }];
  });
