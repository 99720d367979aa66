import { defineTexts } from "../language/catalogue.ts";

export const extensionUiTexts = defineTexts("extension-ui", {
  status: "Status",
  widget: (name: string) => `Widget ${name}`,
  panel: (title: string) => `Panel: ${title}`,
  closePanel: "Close panel",
  up: "Up",
  down: "Down",
  enter: "Enter",
  backspace: "Backspace",
  typeIntoPanel: "Type into the panel",
  type: "Type",
});
