// What floats over the page: one of these at a time, opened by keys, buttons or each other.
import { create } from "zustand";

export type Overlay = "palette" | "shortcuts" | "settings" | "new-session";

export const useOverlay = create<{ shown: Overlay | null }>(() => ({ shown: null }));

export const show = (shown: Overlay | null): void => useOverlay.setState({ shown });

/** What a person presses for commands, as their keyboard calls it. */
export const commandKey = /mac|iphone|ipad/i.test(navigator.platform) ? "⌘" : "Ctrl";
