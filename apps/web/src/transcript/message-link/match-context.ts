// The words that a link looks for in the row it led to, for what folds a part of its text away.
import { createContext } from "react";
import type { Found } from "./highlight-matches.ts";

export const FoundContext = createContext<Found | null>(null);
