// The overlays of the page (palette, shortcuts, settings, new session): one at a time, opened by keys, buttons or each other.
import { create } from "zustand";

export type Overlay = "palette" | "shortcuts" | "settings" | "permissions" | "new-session";

export const useOverlay = create<{ shown: Overlay | null }>(() => ({ shown: null }));

/** The element that had the focus when the first of them was opened. */
let opener: Element | null = null;

export function showOverlay(shown: Overlay | null): void {
  if (useOverlay.getState().shown === null) opener = document.activeElement;
  useOverlay.setState({ shown });
  palettePage.setState({ name: null });
  setPaletteQuery("");
}

/** Pages of the palette that keys, buttons and commands open directly. */
export type PalettePageName = "model" | "thinking" | "approvals" | "export" | "beside";

const palettePage = create<{ name: PalettePageName | null }>(() => ({ name: null }));
export const usePalettePage = (): PalettePageName | null => palettePage(({ name }) => name);

export function showPalettePage(name: PalettePageName, query = ""): void {
  showOverlay("palette");
  palettePage.setState({ name });
  setPaletteQuery(query);
}

/** What is typed into the palette, also while it is still being loaded. */
const paletteQuery = create<{ text: string }>(() => ({ text: "" }));
export const usePaletteQuery = (): string => paletteQuery(({ text }) => text);
export const setPaletteQuery = (text: string): void => paletteQuery.setState({ text });

/** The focus goes back to where it was, unless something else has taken it since. */
export function restoreFocus(event: Event): void {
  event.preventDefault();
  const isFree = document.activeElement === null || document.activeElement === document.body;
  if (isFree && opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
}
