import { defineTexts } from "../language/catalogue.ts";

export const safetyTexts = defineTexts("safety", {
  title: "Safety",
  turnOn: "Turn on",
  notNow: "Not now",
  offerSandbox: "Sandbox new sessions?",
  offerSandboxText:
    "Agents here can reach everything you can. In the sandbox, the built-in agent reaches only its directory and still runs commands without asking.",
  offerAsking: "Ask before commands?",
  offerAskingText:
    "Agents here can reach everything you can, and run commands without asking. New sessions of the built-in agent can ask first.",
  works: "The sandbox works on this machine",
  missing: "No sandbox on this machine",
  legacy: "This server keeps the setting of an earlier version.",
  configured: "Set in the config file.",
  confined: "In new sessions, the built-in agent can reach only its own directory.",
  unconfined: "In new sessions, the built-in agent can reach everything you can.",
  full: "It runs commands without asking.",
  autoEdit: "It asks before it runs commands.",
  ask: "It asks before it changes anything.",
  modeAsk: "Ask first",
  modeAskDetail: "Every edit and every command waits for your approval",
  modeAutoEdit: "Ask before commands",
  modeAutoEditDetail: "Edits files in this directory without asking; commands wait for your approval",
  modeFull: "Don't ask",
  modeFullDetail: "Edits files and runs commands without asking",
});
