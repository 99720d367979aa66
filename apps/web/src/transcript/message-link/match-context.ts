// The matches of a search in the row that a link leads to, for components that fold a part of their text.
import { createContext } from "react";
import type { Matches } from "./highlight-matches.ts";

export const MatchContext = createContext<Matches | null>(null);
