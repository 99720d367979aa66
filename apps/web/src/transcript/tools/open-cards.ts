// Which cards a reader opened or closed by hand. Kept outside of the cards, so that the answer's
// settling or scrolling away does not undo it.
import { create } from "zustand";

interface OpenCards {
  chosen: ReadonlyMap<string, boolean>;
  choose(id: string, open: boolean): void;
}

/** Beyond this many choices the oldest fall back to their default. */
const limit = 500;

export const useOpenCards = create<OpenCards>((set) => ({
  chosen: new Map(),
  choose: (id, open) =>
    set(({ chosen }) => ({ chosen: new Map([...[...chosen].slice(-limit), [id, open]]) })),
}));
