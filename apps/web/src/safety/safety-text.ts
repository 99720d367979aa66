// What the page says about how new sessions are protected.
import type { SafetyInfo } from "@patchbay/protocol";

const approvals: Readonly<Record<SafetyInfo["approvals"], string>> = {
  full: "It runs commands without asking.",
  "auto-edit": "It asks before it runs commands.",
  ask: "It asks before it changes anything.",
};

export const safetyText = {
  title: "Safety",
  turnOn: "Turn on",
  notNow: "Not now",
  offerSandbox: {
    title: "Sandbox new sessions?",
    text: "Agents here reach everything you can reach. In the sandbox the built-in agent reaches only its directory, and still runs commands without asking.",
  },
  offerAsking: {
    title: "Ask before commands?",
    text: "Agents here reach everything you can reach and run commands without asking. New sessions of the built-in agent can ask first.",
  },
  works: "The sandbox works on this machine",
  missing: "There is no sandbox on this machine",
  legacy: "This server keeps the setting of an earlier version.",
  configured: "Set by the config file.",
} as const;

/** How the built-in agent of a new session is set, in a sentence or two. */
export const describeSafety = ({ jail, approvals: mode, sandbox }: SafetyInfo): string => {
  const isConfined = jail !== "off" && sandbox.works;
  const reach = isConfined ? "only its own directory" : "everything you can reach";
  // A jail that cannot hold asks about every command, whatever the mode.
  const asks = mode === "full" && jail === "on" && !sandbox.works ? "auto-edit" : mode;
  return `In new sessions the built-in agent reaches ${reach}. ${approvals[asks]}`;
};
