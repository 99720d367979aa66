import type { Translation } from "../language/catalogue.ts";
import type { sessionListTexts } from "./texts.ts";

export const sessionListGerman: Translation<typeof sessionListTexts> = {
  needsYou: "Wartet auf dich",
  pinned: "Angeheftet",
};
