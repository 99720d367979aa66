// The matches of a search in the row that a link leads to, for components that fold a part of their text.
import { createContext } from "react";

export interface Matches {
  terms: readonly RegExp[];
  /** The card that has the first match; null: it is in the text of the entry. */
  call: string | null;
}

export const MatchContext = createContext<Matches | null>(null);
