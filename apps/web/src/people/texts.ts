import type { PersonState, Right, Role } from "@patchbay/protocol";
import { plural } from "../format/plural.ts";
import { defineTexts } from "../language/catalogue.ts";

type Scope = "read" | "drive" | "approve" | "admin";

export const peopleTexts = defineTexts("people", {
  tab: "People",
  accountTab: "My account",

  people: "People",
  peopleNote: "Everybody who can log in here.",
  inviteTeam: "Invite your team",
  firstNote:
    "You are the only one who uses this Patchbay. With the first person you invite, you become its admin, and your sessions stay yours: private until you share them.",
  you: "You",
  change: (name: string) => `Change ${name}`,
  edit: "Edit",
  close: "Close",
  save: "Save",
  roleName: (role: Role): string => ({ guest: "Guest", member: "Member", admin: "Admin" })[role],
  roleNote: (role: Role): string =>
    ({
      guest: "Works only in sessions that others share.",
      member: "Starts sessions and sees what is shared with the team.",
      admin: "Also manages people, keys and budgets.",
    })[role],
  stateName: (state: PersonState): string =>
    ({ invited: "invited, has not logged in yet", active: "active", disabled: "disabled" })[state],
  role: "Role",
  name: "Full name",
  handle: "Login name",
  invite: "Invite",
  needsName: "Enter a name and a login name.",
  inviteQr: (name: string) => `QR code of the invitation for ${name}`,
  sendLink: (name: string) => `Send this link to ${name}`,
  linkNote: "It works once, within 7 days, and lets them choose a password. It is not shown again.",
  onlyThisMachine:
    "This address works only on this machine. Open Patchbay at the address your team uses to get a link for them.",
  copyLink: "Copy the link",
  newLink: "New link",
  reset: "Reset",
  resetTitle: (name: string) => `Reset the login of ${name}?`,
  resetNote:
    "Their password stops working, they are logged out everywhere, and their tokens end. You get a new link for them. Their sessions stay.",
  enable: "Enable",
  disable: "Disable",
  disableTitle: (name: string) => `Disable ${name}?`,
  disableNote:
    "They are logged out everywhere, their tokens end, and the agents of their sessions stop. Their sessions and costs are kept. You can enable them again.",

  groups: "Groups",
  groupsNote: "Share a session with a group to give all its members the same right.",
  emptyGroup: "No members yet",
  groupName: "Name of the group",
  addGroup: "Add group",
  removeGroup: "Delete group",
  removeGroupTitle: (name: string) => `Delete the group ${name}?`,
  removeGroupNote: "What was shared with the group is not shared with its members any more.",

  nameNote: "This is how others see you.",
  password: "Password",
  passwordNote: "A new password logs you out on your other devices.",
  noPassword: (handle: string) => `With a password you can log in as ${handle} without a login link.`,
  oldPassword: "Current password",
  newPassword: "New password",
  short: (count: number) => `Use at least ${count} characters.`,
  changePassword: "Change password",
  setPassword: "Set password",
  passwordChanged: "Password saved.",

  authenticator: "Authenticator app",
  authenticatorNote: "Ask for a code of an app on your phone after your password.",
  authenticatorOn: "Your password needs a code of your app too.",
  addAuthenticator: "Set up an app",
  removeAuthenticator: "Remove the app",
  authenticatorQr: "QR code for an authenticator app",
  scanAuthenticator:
    "Scan this with your authenticator app, or enter the key below. Then enter the code that it shows.",
  copyKey: "Copy the key",
  code: "Code",
  confirm: "Confirm",
  keepRecovery: "Keep these recovery codes. Each works once in place of your app. They are not shown again.",
  copyRecovery: "Copy the recovery codes",

  tokens: "Access tokens",
  tokensNote: "For your programs. A token does what you may do, within its scopes.",
  copyToken: "Copy this token now. It is not shown again.",
  copyTokenButton: "Copy the token",
  neverUsed: "never used",
  lastUsed: (ago: string) => `last used ${ago} ago`,
  neverExpires: "does not expire",
  expires: (when: string) => `expires ${when}`,
  revoke: "Revoke",
  revokeToken: (name: string) => `Revoke ${name}`,
  tokenName: "Name of the token",
  tokenNameNote: "What it is for.",
  expiry: "Expires",
  days: (count: number) => `in ${count} days`,
  never: "Never",
  scopes: "Scopes",
  scopeNote: (scope: Scope): string =>
    ({
      read: "sessions and costs",
      drive: "start, prompt and stop",
      approve: "allow what agents ask for",
      admin: "manage people and the server",
    })[scope],
  createToken: "Create token",

  pair: "Log in a phone",
  pairQr: "QR code that logs a phone in",
  pairTitle: "Scan this with your phone",
  pairNote: "It logs the phone in as you. It works once, for two minutes.",

  share: "Share",
  shareTitle: "Share this session",
  shareNote: "Whoever works in it works with your directories, keys and budgets.",
  team: "Everybody in the team",
  teamNote: "Without guests.",
  none: "No access",
  rightName: (right: Right): string =>
    ({
      watch: "Can watch",
      drive: "Can drive",
      approve: "Can drive and approve",
      own: "Owner",
    })[right],
  rightNote: (right: Right): string =>
    ({
      watch: "Read the transcript.",
      drive: "Also prompt, steer, queue and stop.",
      approve: "Also allow what the agent asks for.",
      own: "Everything, also sharing and deleting.",
    })[right],
  addTo: "Share with",
  choose: "Choose a person or a group",
  remove: (name: string) => `Stop sharing with ${name}`,
  rightOf: (name: string) => `Right of ${name}`,
  nobodyElse: "Only you see this session.",
  onlyOwner: (name: string) => `Only ${name} can share it, because it is their session.`,
  gone: "No longer here",
  watching: (owner: string) => `You are watching. ${owner} can let you drive.`,
  theOwner: "The owner",
  sessionOf: (owner: string) => `${owner}'s session`,
  shared: "Shared",
  sharedWith: (count: number) => `Shared with ${plural(count, "person or group", "people or groups")}`,
  teamWatches: "The team may watch",
  teamDrives: "The team may drive",
  mayNotAllow: (owner: string) =>
    `You may deny this. Only ${owner} and the approvers they named may allow it.`,
});
