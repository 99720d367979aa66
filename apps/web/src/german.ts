// The German texts of all folders. Loaded only where the page is in German.
import { formatGerman } from "./format/texts.de.ts";
import { homeGerman } from "./home/texts.de.ts";
import { navigationGerman } from "./navigation/texts.de.ts";
import { directoryGerman } from "./new-session/directory/texts.de.ts";
import { newSessionGerman } from "./new-session/texts.de.ts";
import { sessionActionsGerman } from "./session-actions/texts.de.ts";
import { sessionListGerman } from "./session-list/texts.de.ts";
import { sidebarGerman } from "./sidebar/texts.de.ts";

export const german = {
  format: formatGerman,
  home: homeGerman,
  navigation: navigationGerman,
  "new-session": newSessionGerman,
  "new-session/directory": directoryGerman,
  "session-actions": sessionActionsGerman,
  "session-list": sessionListGerman,
  sidebar: sidebarGerman,
};
