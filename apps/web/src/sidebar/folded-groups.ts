// Which groups of the list are folded in this browser.
import * as z from "zod/mini";
import { create } from "zustand";

const key = "patchbay.folded";
/** More directories than a list has. */
const limit = 500;

function load(): readonly string[] {
  try {
    const read = z.array(z.string()).safeParse(JSON.parse(localStorage.getItem(key) ?? "[]"));
    return read.success ? read.data : [];
  } catch {
    return [];
  }
}

interface FoldedGroups {
  /** By key. On a phone directories are folded until they are opened, elsewhere the other way round. */
  folded: readonly string[];
  toggle(group: string): void;
}

export const useFoldedGroups = create<FoldedGroups>((set, get) => ({
  folded: load(),
  toggle(group) {
    const { folded: before } = get();
    const folded = before.includes(group)
      ? before.filter((known) => known !== group)
      : [...before.slice(1 - limit), group];
    set({ folded });
    try {
      localStorage.setItem(key, JSON.stringify(folded));
    } catch {
      // They stay folded as long as the page.
    }
  },
}));
