import { defineTexts } from "../language/catalogue.ts";

export const sessionListTexts = defineTexts("session-list", {
  needsYou: "Needs you",
  pinned: "Pinned",
});
