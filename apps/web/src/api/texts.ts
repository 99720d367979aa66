import { defineTexts } from "../language/catalogue.ts";

export const apiTexts = defineTexts("api", {
  slow: "The server has not answered for 30 seconds. Try again.",
  unreachable: "Cannot reach the server. Is Patchbay still running?",
  notUnderstood: "The server sent a response this page does not understand. Reload the page.",
  status: (status: number) => `The server responded with status ${status}.`,
  noStorage: "This browser does not allow site data for this address. Allow it, then log in.",
});
