// Whether all lines of an output are to be shown, because something in it is looked for.
import { createContext } from "react";

export const WholeOutputContext = createContext(false);
