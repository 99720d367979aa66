import { defineTexts } from "../language/catalogue.ts";

export const codeTexts = defineTexts("code", {
  code: "Code",
  copyCode: "Copy code",
  plainText: "text",
  changes: "Changes",
  oneColumn: "One column",
  sideBySide: "Side by side",
  earlierLines: (count: string) => `Show ${count} earlier lines`,
  earlierLine: "Show 1 earlier line",
});
