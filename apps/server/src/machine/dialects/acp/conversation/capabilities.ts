// The capabilities that we announce to an agent, and the agent's own as capabilities of our protocol.
import type { InitializeRequest, InitializeResponse } from "@agentclientprotocol/sdk";
import type { AgentSession } from "./agent-session.ts";

export const protocolVersion = 1;

export const initializeRequest: InitializeRequest = {
  protocolVersion,
  clientCapabilities: {
    fs: { readTextFile: true, writeTextFile: true },
    terminal: true,
    elicitation: { form: {} },
  },
  clientInfo: { name: "patchbay", version: "1" },
};

/** Some depend on the agent's session (a command to compact, models to choose from): they are known when it is open, and may change. */
export function capabilitiesOf(
  { agentCapabilities: can }: InitializeResponse,
  session: Pick<AgentSession, "compactCommand" | "models"> | undefined,
): string[] {
  const canResume = can?.loadSession === true || isPresent(can?.sessionCapabilities?.resume);
  const models = session?.models?.offered ?? [];
  return [
    ...["commands", "thinking"],
    ...(models.length > 0 ? ["set_model"] : []),
    ...(can?.promptCapabilities?.image === true ? ["images"] : []),
    ...(session?.compactCommand === undefined ? [] : ["compact"]),
    ...(canResume ? ["restore", "settings"] : []),
  ];
}

export const isPresent = (value: unknown): boolean => value !== undefined && value !== null;
