// The German texts of all folders. Loaded only where the page is in German.
import { apiGerman } from "./api/texts.de.ts";
import { attentionGerman } from "./attention/texts.de.ts";
import { controlsGerman } from "./controls/texts.de.ts";
import { formatGerman } from "./format/texts.de.ts";
import { homeGerman } from "./home/texts.de.ts";
import { loginGerman } from "./login/texts.de.ts";
import { navigationGerman } from "./navigation/texts.de.ts";
import { directoryGerman } from "./new-session/directory/texts.de.ts";
import { newSessionGerman } from "./new-session/texts.de.ts";
import { safetyGerman } from "./safety/texts.de.ts";
import { sessionActionsGerman } from "./session-actions/texts.de.ts";
import { sessionListGerman } from "./session-list/texts.de.ts";
import { settingsGerman } from "./settings/texts.de.ts";
import { setupGerman } from "./setup/texts.de.ts";
import { sidebarGerman } from "./sidebar/texts.de.ts";
import { themeGerman } from "./theme/texts.de.ts";

export const german = {
  api: apiGerman,
  attention: attentionGerman,
  controls: controlsGerman,
  format: formatGerman,
  home: homeGerman,
  login: loginGerman,
  navigation: navigationGerman,
  "new-session": newSessionGerman,
  "new-session/directory": directoryGerman,
  safety: safetyGerman,
  "session-actions": sessionActionsGerman,
  "session-list": sessionListGerman,
  settings: settingsGerman,
  setup: setupGerman,
  sidebar: sidebarGerman,
  theme: themeGerman,
};
