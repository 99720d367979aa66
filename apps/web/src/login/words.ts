// What the login page says.
export const loginWords = {
  title: "Log in",
  titleAgain: "Log in again",
  intro: "This Patchbay is private. Get a login link on the machine it runs on.",
  introAgain: "Your login on this device has ended. Agents keep working, and your drafts are kept.",
  /** An address with a token in it, as earlier versions printed. */
  oldLink: "Links that hold a token no longer log in. Get a new link as described below.",
  run: "In a terminal on that machine, run",
  command: "npx patchbay login",
  copyCommand: "Copy the command",
  open: "Then open the link that it prints. It works once, for one minute.",
  or: "or",
  field: "Login link or token",
  hint: "The token is in the file that “npx patchbay token” names.",
  empty: "Paste a login link or the token.",
  submit: "Log in",
  waits: "Logging in…",
} as const;
