import type { Translation } from "../language/catalogue.ts";
import type { themeTexts } from "./texts.ts";

export const themeGerman: Translation<typeof themeTexts> = {
  title: "Design",
  system: "System",
  light: "Hell",
  dark: "Dunkel",
};
