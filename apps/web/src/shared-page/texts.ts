import { defineTexts } from "../language/catalogue.ts";

export const sharedPageTexts = defineTexts("shared-page", {
  person: "User",
  live: "Live",
  working: "The agent is working",
  frozen: "A copy from when the link was made",
  readOnly: "Read only",
  hides: (parts: string) => `Not shown: ${parts}`,
  tool_output: "tool output",
  paths: "file paths",
  costs: "costs",
  thinking: "thinking",
  names: "names",
  earlier: (count: number) => `${count} earlier messages are not shown.`,
  empty: "Nothing has been said yet.",
  loading: "Loading…",
  endedTitle: "This link has ended",
  brokenTitle: "This link does not work",
  broken: "Check that the whole link was copied, with everything after the #.",
  away: "The server cannot be reached. Trying again…",
});
