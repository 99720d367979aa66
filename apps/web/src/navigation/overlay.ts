// What floats over the page: one of these at a time, opened by keys, buttons or each other.
import { create } from "zustand";

export type Overlay = "palette" | "shortcuts" | "settings" | "new-session";

export const useOverlay = create<{ shown: Overlay | null }>(() => ({ shown: null }));

/** Where the focus was when the first of them was opened. */
let opener: Element | null = null;

export function show(shown: Overlay | null): void {
  if (useOverlay.getState().shown === null) opener = document.activeElement;
  useOverlay.setState({ shown });
  setPaletteQuery("");
}

/** What is typed into the palette, and was before it could be shown. */
const paletteQuery = create<{ words: string }>(() => ({ words: "" }));
export const usePaletteQuery = (): string => paletteQuery(({ words }) => words);
export const setPaletteQuery = (words: string): void => paletteQuery.setState({ words });

/** The focus goes back to where it was, unless something else has taken it since. */
export function giveFocusBack(event: Event): void {
  event.preventDefault();
  const isFree = document.activeElement === null || document.activeElement === document.body;
  if (isFree && opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
}
