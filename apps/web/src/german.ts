// The German texts of all folders. Loaded only where the page is in German.
import { composerGerman } from "./composer/texts.de.ts";
import { filesGerman } from "./files/texts.de.ts";
import { formatGerman } from "./format/texts.de.ts";
import { paletteGerman } from "./palette/texts.de.ts";
import { searchGerman } from "./search/texts.de.ts";
import { sessionGerman } from "./session/texts.de.ts";
import { shortcutsGerman } from "./shortcuts/texts.de.ts";
import { uiGerman } from "./ui/texts.de.ts";

export const german = {
  composer: composerGerman,
  files: filesGerman,
  format: formatGerman,
  palette: paletteGerman,
  search: searchGerman,
  session: sessionGerman,
  shortcuts: shortcutsGerman,
  ui: uiGerman,
};
