import { plural } from "../format/plural.ts";
import { defineTexts } from "../language/catalogue.ts";

export const sessionTexts = defineTexts("session", {
  // Panes
  leftSession: "Left session",
  rightSession: "Right session",
  resizeSessions: "Resize the two sessions",
  resizePane: "Resize the side pane",
  sidePane: "Changes and files",
  changes: "Changes",
  files: "Files",
  backToSession: "Back to the session",
  closePane: "Close the side pane",
  // The page
  opening: "Opening the session",
  unavailable: "This session is not available",
  backToList: "Back to the list",
  // Header
  filesAndChanges: "Files and changes",
  splitView: "Split view",
  closeSplit: "Close this session in the split view",
  builtinAgent: "Built-in agent",
  viewers: (count: number) => `${plural(count, "viewer")} on this session`,
  rename: "Rename",
  name: "Session name",
  costSoFar: (flow: string) => `This session so far: ${flow}`,
  someUnpriced: "some calls have no known price",
  contextUnknown: "Tokens in the model's context. The size of its context window is not known.",
  contextTokens: (tokens: string) => `ctx ${tokens}`,
  contextUse: (tokens: string, size: string) => `${tokens} of ${size} tokens of the context window are used`,
  contextNearlyFull: "Compact the context to make room.",
  contextWindow: "Context window",
  // Menu
  menu: "Session menu",
  compact: "Compact the context",
  share: "Share…",
  details: "Details",
  clear: "Clear the transcript",
  export: "Export",
  autoCompact: "Compact when nearly full",
  autoRetry: "Retry failed model calls",
});
