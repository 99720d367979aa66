import type { Translation } from "../language/catalogue.ts";
import type { navigationTexts } from "./texts.ts";

export const navigationGerman: Translation<typeof navigationTexts> = { back: "Zurück zur Liste" };
