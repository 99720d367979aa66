// The keys of actions, as the page shows them: in the palette, in tooltips and in the sheet of shortcuts.
import { commandKey } from "../device/command-key.ts";

export const actionKeys = {
  palette: `${commandKey} K`,
  newSession: "N",
  search: "F",
  settings: ",",
  shortcuts: "?",
  prompt: "/",
  find: `${commandKey} F`,
  previousSession: "[",
  nextSession: "]",
  nextPane: "F6",
  previousPane: "⇧ F6",
  files: "D",
  split: "S",
  closeSplit: "X",
  model: "M",
  thinking: "T",
  rename: "R",
  compact: "⇧ C",
  export: "E",
  details: "I",
  menu: ".",
} as const;

export type ActionKey = keyof typeof actionKeys;

/** For a tooltip: what it does, and the key that does the same. */
export const withKey = (label: string, action: ActionKey): string => `${label} (${actionKeys[action]})`;

/** What was pressed, as in `actionKeys`. Caps Lock does not count as Shift. */
export function pressedKey({ key, shiftKey }: Pick<KeyboardEvent, "key" | "shiftKey">): string {
  const isShown = key.length === 1 && key.toLowerCase() === key.toUpperCase(); // "?" is what Shift made of it
  return isShown ? key : `${shiftKey ? "⇧ " : ""}${key.length === 1 ? key.toUpperCase() : key}`;
}
