import { plural } from "../format/plural.ts";
import { defineTexts } from "../language/catalogue.ts";

export const searchTexts = defineTexts("search", {
  title: "Search all transcripts",
  search: "Search",
  searching: "Searching",
  searchFor: (query: string) => `Search all transcripts for “${query}”`,
  inTranscripts: "In transcripts",
  placeholder: "Words, or “a phrase” in quotes",
  kind: "Kind of message",
  everything: "Everything",
  prompts: "Your prompts",
  answers: "Answers",
  tools: "Tools and output",
  directory: "Directory",
  allDirectories: "All directories",
  intro: "Search prompts, answers, commands and their output in every session.",
  tooShort: (letters: number) => `Type at least ${letters} letters.`,
  none: "No results. Try fewer words; the beginning of a word is enough.",
  found: (hits: number, sessions: number, more: boolean) =>
    `${more ? "The newest " : ""}${plural(hits, "result")} in ${plural(sessions, "session")}`,
  kind_prompt: "You",
  kind_answer: "Answer",
  kind_tool: "Tool call",
  kind_output: "Output",
  kind_command: "Your command",
  kind_summary: "Summary",
  onBranch: "on a branch",
});
