import { defineTexts } from "../language/catalogue.ts";

export const navigationTexts = defineTexts("navigation", { back: "Back to the list" });
