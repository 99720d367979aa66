import { defineTexts } from "../language/catalogue.ts";

export const connectionTexts = defineTexts("connection", {
  noAnswer:
    "The agent has not answered for 20 seconds. It may be stuck: stop it in the session menu, and the next prompt starts it again.",
  failed: (command: string) => `${command} failed`,
  notConnected: "Not connected. Try again in a moment.",
  closed: "The session was closed.",
  connectionLost: "The connection to the server was lost.",
  promptRefused: "The prompt was refused.",
  anExtension: "An extension",
});
