// What the list of devices says.
import type { Login } from "@patchbay/protocol";

export const deviceText = {
  title: "Devices",
  explained: "Browsers that are logged in to this Patchbay. Programs that use the token are not listed.",
  current: "This device",
  lastUsed: (ago: string): string => (ago === "now" ? "Used just now" : `Last used ${ago} ago`),
  exactly: (login: Login, format: (time: string) => string): string =>
    `Last used ${format(login.last_used_at)}. Logged in ${format(login.created_at)}. Ends ${format(login.expires_at)} unless it is used.`,
  revoke: "Revoke",
  revokeLabel: (device: string): string => `Revoke ${device}`,
  revokeOthers: (count: number): string => `Revoke the ${count} other devices`,
  logOut: "Log out",
} as const;
