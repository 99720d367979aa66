// What we say that we can, and what an agent's own words about itself mean for a session.
import type { InitializeRequest, InitializeResponse } from "@agentclientprotocol/sdk";

export const protocolVersion = 1;

export const introduction: InitializeRequest = {
  protocolVersion,
  clientCapabilities: {
    fs: { readTextFile: true, writeTextFile: true },
    terminal: true,
    elicitation: { form: {} },
  },
  clientInfo: { name: "patchbay", version: "1" },
};

/** `compacts`: one of its commands does. */
export function abilitiesOf({ agentCapabilities: can }: InitializeResponse, compacts = false): string[] {
  const goesOn = can?.loadSession === true || isGiven(can?.sessionCapabilities?.resume);
  return [
    ...["commands", "thinking", "set_model"],
    ...(can?.promptCapabilities?.image === true ? ["images"] : []),
    ...(compacts ? ["compact"] : []),
    ...(goesOn ? ["restore", "settings"] : []),
  ];
}

export const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
