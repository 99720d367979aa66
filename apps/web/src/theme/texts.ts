import { defineTexts } from "../language/catalogue.ts";

export const themeTexts = defineTexts("theme", {
  title: "Theme",
  system: "System",
  light: "Light",
  dark: "Dark",
});
