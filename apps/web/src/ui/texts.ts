import { defineTexts } from "../language/catalogue.ts";

export const uiTexts = defineTexts("ui", {
  cancel: "Cancel",
  close: "Close",
  copied: "Copied",
  copyRefused: "The browser does not allow this page to copy. Select the text and copy it yourself.",
  noMatches: "No matches",
  resize: "Drag to resize. Double-click to reset.",
  showLarger: "Show larger",
  showSmaller: "Show smaller",
  skip: "Skip to content",
  typeToFilter: "Type to filter",
});
