// The German texts of all folders. Loaded only where the page is in German.
import { errorGerman } from "./api/http/texts.de.ts";
import { apiGerman } from "./api/texts.de.ts";
import { attentionGerman } from "./attention/texts.de.ts";
import { codeGerman } from "./code/texts.de.ts";
import { composerGerman } from "./composer/texts.de.ts";
import { connectionGerman } from "./connection/texts.de.ts";
import { permissionsGerman } from "./controls/permissions/texts.de.ts";
import { controlsGerman } from "./controls/texts.de.ts";
import { alertGerman } from "./costs/alerts/texts.de.ts";
import { budgetGerman } from "./costs/budgets/data/texts.de.ts";
import { costCardGerman } from "./costs/cards/texts.de.ts";
import { compareGerman } from "./costs/compare/texts.de.ts";
import { costDataGerman } from "./costs/data/texts.de.ts";
import { planGerman } from "./costs/plans/texts.de.ts";
import { reportGerman } from "./costs/report/texts.de.ts";
import { costSettingsGerman } from "./costs/settings/texts.de.ts";
import { costsGerman } from "./costs/texts.de.ts";
import { extensionUiGerman } from "./extension-ui/texts.de.ts";
import { filesGerman } from "./files/texts.de.ts";
import { formatGerman } from "./format/texts.de.ts";
import { homeGerman } from "./home/texts.de.ts";
import { loginGerman } from "./login/texts.de.ts";
import { navigationGerman } from "./navigation/texts.de.ts";
import { directoryGerman } from "./new-session/directory/texts.de.ts";
import { newSessionGerman } from "./new-session/texts.de.ts";
import { paletteGerman } from "./palette/texts.de.ts";
import { peopleGerman } from "./people/texts.de.ts";
import { questionsGerman } from "./questions/texts.de.ts";
import { safetyGerman } from "./safety/texts.de.ts";
import { searchGerman } from "./search/texts.de.ts";
import { bannersGerman } from "./session/banners/texts.de.ts";
import { sessionGerman } from "./session/texts.de.ts";
import { sessionActionsGerman } from "./session-actions/texts.de.ts";
import { sessionListGerman } from "./session-list/texts.de.ts";
import { settingsGerman } from "./settings/texts.de.ts";
import { setupGerman } from "./setup/texts.de.ts";
import { sharedPageGerman } from "./shared-page/texts.de.ts";
import { sharingGerman } from "./sharing/texts.de.ts";
import { shortcutsGerman } from "./shortcuts/texts.de.ts";
import { sidebarGerman } from "./sidebar/texts.de.ts";
import { themeGerman } from "./theme/texts.de.ts";
import { marksGerman } from "./transcript/marks/texts.de.ts";
import { transcriptGerman } from "./transcript/texts.de.ts";
import { toolsGerman } from "./transcript/tools/texts.de.ts";
import { uiGerman } from "./ui/texts.de.ts";

export const german = {
  "api/http": errorGerman,
  api: apiGerman,
  attention: attentionGerman,
  code: codeGerman,
  composer: composerGerman,
  connection: connectionGerman,
  "controls/permissions": permissionsGerman,
  controls: controlsGerman,
  "costs/alerts": alertGerman,
  "costs/budgets/data": budgetGerman,
  "costs/cards": costCardGerman,
  "costs/compare": compareGerman,
  "costs/data": costDataGerman,
  "costs/plans": planGerman,
  "costs/report": reportGerman,
  "costs/settings": costSettingsGerman,
  costs: costsGerman,
  "extension-ui": extensionUiGerman,
  files: filesGerman,
  format: formatGerman,
  home: homeGerman,
  login: loginGerman,
  navigation: navigationGerman,
  "new-session": newSessionGerman,
  "new-session/directory": directoryGerman,
  palette: paletteGerman,
  people: peopleGerman,
  questions: questionsGerman,
  safety: safetyGerman,
  search: searchGerman,
  "session-actions": sessionActionsGerman,
  "session-list": sessionListGerman,
  "session/banners": bannersGerman,
  session: sessionGerman,
  settings: settingsGerman,
  setup: setupGerman,
  "shared-page": sharedPageGerman,
  sharing: sharingGerman,
  shortcuts: shortcutsGerman,
  sidebar: sidebarGerman,
  theme: themeGerman,
  "transcript/marks": marksGerman,
  "transcript/tools": toolsGerman,
  transcript: transcriptGerman,
  ui: uiGerman,
};
