// What we say that we can, and what an agent's own words about itself mean for a session.
import type { InitializeRequest, InitializeResponse } from "@agentclientprotocol/sdk";
import type { AgentSession } from "./agent-session.ts";

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

/** What its session adds is known when there is one, and may change: a command to compact, and models to choose from. */
export function abilitiesOf(
  { agentCapabilities: can }: InitializeResponse,
  session: Pick<AgentSession, "compactCommand" | "models"> | undefined,
): string[] {
  const goesOn = can?.loadSession === true || isGiven(can?.sessionCapabilities?.resume);
  const models = session?.models?.offered ?? [];
  return [
    ...["commands", "thinking"],
    ...(models.length > 0 ? ["set_model"] : []),
    ...(can?.promptCapabilities?.image === true ? ["images"] : []),
    ...(session?.compactCommand === undefined ? [] : ["compact"]),
    ...(goesOn ? ["restore", "settings"] : []),
  ];
}

export const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
