import { defineTexts } from "../language/catalogue.ts";

export const attentionTexts = defineTexts("attention", {
  title: "Notifications",
  offer: "Get a notification on this device when an agent finishes or needs you?",
  turnOn: "Turn on",
  notNow: "Not now",
  needs: "Needs you",
  failed: "Failed",
  stopped: "Stopped",
  done: "Done",
  needsText: "The agent has a question.",
  agentStopped: "The agent stopped unexpectedly.",
  failedText: "The turn ended with an error.",
  stoppedText: "The turn was stopped.",
  doneText: "The agent is done.",
});
