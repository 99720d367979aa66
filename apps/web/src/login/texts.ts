import { defineTexts } from "../language/catalogue.ts";

export const loginTexts = defineTexts("login", {
  title: "Log in",
  titleAgain: "Log in again",
  introAgain: "You were logged out on this device. Agents keep working, and your drafts are kept.",
  /** An address with a token in it, as earlier versions printed. */
  oldLink: "Links that contain a token no longer log in. Get a new link as described below.",
  run: "On the machine where Patchbay runs, enter",
  copyCommand: "Copy the command",
  open: "Then open the link it prints. It works once, for one minute.",
  or: "or",
  field: "Login link or token",
  hint: "To see the token, enter",
  empty: "Paste a login link or the token.",
  wrongToken: 'That token is wrong. Run "npx patchbay token" to see the right one.',
  wrongLink: 'This login link was already used or has expired. Run "npx patchbay login" for a new one.',
  submit: "Log in",
  waits: "Logging in…",
  tabTitle: "Log in · Patchbay",
});
