// Which key of the browser is which key of a panel, by zot's names. Null: the key is not for the panel.
export interface PanelKey {
  key: string;
  text?: string;
}

const names: ReadonlyMap<string, string> = new Map([
  ["ArrowUp", "up"],
  ["ArrowDown", "down"],
  ["ArrowLeft", "left"],
  ["ArrowRight", "right"],
  ["Enter", "enter"],
  ["Backspace", "backspace"],
  ["Delete", "delete"],
  ["Home", "home"],
  ["End", "end"],
  ["PageUp", "pageup"],
  ["PageDown", "pagedown"],
  ["Tab", "tab"],
]);

interface Pressed {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

export function panelKey({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed): PanelKey | null {
  // The browser's own shortcuts stay the browser's, and Shift+Tab is the way out of the panel.
  if (ctrlKey || metaKey || altKey || (key === "Tab" && shiftKey)) return null;
  const name = names.get(key);
  if (name !== undefined) return { key: name };
  return /^.$/su.test(key) ? { key: "rune", text: key } : null;
}
