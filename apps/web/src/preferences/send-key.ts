// What Enter means where prompts are written, by the preference, and how the keys are called.
import { commandKey } from "../device/command-key.ts";
import { type Preferences, usePreferences } from "./preferences.ts";

interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/** Null: the key is for the field, as the one that makes a new line. */
export function enterMeaning(
  { key, shiftKey, ctrlKey, metaKey }: KeyPress,
  sendKey: Preferences["sendKey"],
): "send" | "steer" | null {
  if (key !== "Enter") return null;
  const mod = ctrlKey || metaKey;
  if (sendKey === "enter") return shiftKey ? null : mod ? "steer" : "send";
  return mod ? (shiftKey ? "steer" : "send") : null;
}

interface SendKeys {
  send: string;
  steer: string;
  newLine: string;
}

/** The same in every language: signs and names that are on the keys. */
export const sendKeyNames = (sendKey: Preferences["sendKey"]): SendKeys =>
  sendKey === "enter"
    ? { send: "⏎", steer: `${commandKey} ⏎`, newLine: "⇧ ⏎" }
    : { send: `${commandKey} ⏎`, steer: `${commandKey} ⇧ ⏎`, newLine: "⏎" };

export const useSendKeyNames = (): SendKeys => sendKeyNames(usePreferences(({ sendKey }) => sendKey));
