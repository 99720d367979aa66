// The German texts of all folders. Loaded only where the page is in German.
import { permissionsGerman } from "./controls/permissions/texts.de.ts";
import { extensionUiGerman } from "./extension-ui/texts.de.ts";
import { formatGerman } from "./format/texts.de.ts";
import { questionsGerman } from "./questions/texts.de.ts";
import { marksGerman } from "./transcript/marks/texts.de.ts";
import { toolsGerman } from "./transcript/tools/texts.de.ts";

export const german = {
  "controls/permissions": permissionsGerman,
  "extension-ui": extensionUiGerman,
  format: formatGerman,
  questions: questionsGerman,
  "transcript/marks": marksGerman,
  "transcript/tools": toolsGerman,
};
