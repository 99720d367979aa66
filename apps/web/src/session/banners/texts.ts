import { defineTexts } from "../../language/catalogue.ts";

export const bannersTexts = defineTexts("session/banners", {
  // Connection
  disconnected: "Disconnected. Reconnecting…",
  nothingLost: "Nothing is lost. What you send now is delivered when the connection is back.",
  // Trouble
  trouble: "Server problem",
  cannotSave: "Nothing can be saved.",
  freeSpace: "Free up disk space. The agent continues by itself.",
  // Another branch
  otherBranch: "The message you are looking for is on another branch.",
  showBranch: "Show branch",
  whenIdle: "Available when the agent is done",
  // Being deleted
  deleting: "This session is being deleted.",
  keep: "Keep session",
  // Before the first prompt
  agentNotStarted: "The agent did not start",
  whatToDo: "What should the agent do?",
  worksIn: "The agent works in",
  whatItDoes: "It reads and edits files there and runs commands.",
  demo: "No model key is set, so the offline demo model answers. It follows a script, but it streams, thinks and really uses the tools. It is free.",
  listFiles: "List the files in this directory",
  readReadme: "Read README.md and summarize this project",
  explainLog: "Run `git log --oneline -5` and explain the latest change",
  demoListFiles: "List the files in this directory",
  runVersion: "Run the command `node --version`",
  writeFile: "Write a file hello.txt that says hello, then read it",
});
