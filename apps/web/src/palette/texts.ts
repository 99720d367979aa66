import { defineTexts } from "../language/catalogue.ts";

export const paletteTexts = defineTexts("palette", {
  title: "Search or run a command",
  placeholder: "Search sessions, transcripts and commands",
  results: "Results",
  noMatches: "No matches",
  close: "Close",
  back: "Back",
  chosen: "Selected",
  sessions: "Sessions",
  goTo: "Go to",
  settingsOfSession: "Session settings",
});
