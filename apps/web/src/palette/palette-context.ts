// What the items of the palette can use: what is typed, and what choosing an item does. The palette knows no features:
// each feature renders its own items, and app-palette.tsx puts them together.
import { type ComponentType, createContext, useContext } from "react";

/** A list that is too long, or too rarely needed, for the first page of the palette. */
export interface PalettePage {
  /** Texts of a catalogue are read by getters: the page may be in another language than its modules. */
  title: string;
  placeholder: string;
  /** Renders `PaletteItem`s. */
  Items: ComponentType;
}

export interface PaletteControls {
  query: string;
  /** Closes the palette, then acts. */
  run(action: () => void): void;
  /** Shows a page in place of the first one. */
  open(page: PalettePage): void;
}

export const PaletteContext = createContext<PaletteControls | null>(null);

export function usePalette(): PaletteControls {
  const controls = useContext(PaletteContext);
  if (controls === null) throw new Error("usePalette is used outside of the palette");
  return controls;
}
