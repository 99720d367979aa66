// What the login page says.
export const loginText = {
  title: "Log in",
  titleAgain: "Log in again",
  introAgain: "Your login on this device has ended. Agents keep working, and your drafts are kept.",
  /** An address with a token in it, as earlier versions printed. */
  oldLink: "Links that hold a token no longer log in. Get a new link as described below.",
  run: "On the machine where Patchbay runs, enter",
  command: "npx patchbay login",
  copyCommand: "Copy the command",
  open: "Then open the link it prints. It works once, for one minute.",
  or: "or",
  field: "Login link or token",
  hint: "To see the token, enter",
  tokenCommand: "npx patchbay token",
  empty: "Paste a login link or the token.",
  submit: "Log in",
  waits: "Logging in…",
} as const;
