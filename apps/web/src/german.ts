// The German texts of all folders. Loaded only where the page is in German.
import { formatGerman } from "./format/texts.de.ts";
import { safetyGerman } from "./safety/texts.de.ts";
import { setupGerman } from "./setup/texts.de.ts";

export const german = { format: formatGerman, safety: safetyGerman, setup: setupGerman };
