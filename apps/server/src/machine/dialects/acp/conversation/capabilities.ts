// The capabilities that we announce to an agent, and the agent's own as capabilities of our protocol.
import type { InitializeRequest, InitializeResponse } from "@agentclientprotocol/sdk";
import * as z from "zod/mini";
import type { AgentTraits } from "../../dialect.ts";
import type { AgentSession } from "./agent-session.ts";
import { levelsOf } from "./thinking-levels.ts";

export const protocolVersion = 1;

export const initializeRequest = ({ readsFilesItself }: AgentTraits): InitializeRequest => ({
  protocolVersion,
  clientCapabilities: {
    fs: { ...(readsFilesItself === true ? {} : { readTextFile: true }), writeTextFile: true },
    terminal: true,
    elicitation: { form: {} },
  },
  clientInfo: { name: "patchbay", version: "1" },
});

/** Some depend on the agent's session (a command to compact, models to choose from): they are known when it is open, and may change. */
export function capabilitiesOf(
  agent: InitializeResponse,
  session: Pick<AgentSession, "compactCommand" | "models" | "effort"> | undefined,
): string[] {
  const can = agent.agentCapabilities;
  const models = session?.models?.offered ?? [];
  return [
    ...["commands", "thinking"],
    ...(models.length > 0 ? ["set_model"] : []),
    ...(levelsOf(session?.effort).length > 0 ? ["thinking_levels"] : []),
    ...(canSteer(agent) ? ["steer"] : []),
    ...(can?.promptCapabilities?.image === true ? ["images"] : []),
    ...(session?.compactCommand === undefined ? [] : ["compact"]),
    ...(canResume(agent) ? ["restore", "settings"] : []),
  ];
}

const canResume = (agent: InitializeResponse | undefined): boolean =>
  agent?.agentCapabilities?.loadSession === true ||
  isPresent(agent?.agentCapabilities?.sessionCapabilities?.resume);

/** A session can be closed, and be resumed by the same process. */
export const canReopen = (agent: InitializeResponse | undefined): boolean =>
  isPresent(agent?.agentCapabilities?.sessionCapabilities?.close) && canResume(agent);

/** An extension of claude and codex: `_session/steering` takes a message into the running turn. */
const Steering = z.looseObject({
  _meta: z.looseObject({ steering: z.looseObject({ supported: z.literal(true) }) }),
});

export const canSteer = (agent: InitializeResponse | undefined): boolean => Steering.safeParse(agent).success;

export const isPresent = (value: unknown): boolean => value !== undefined && value !== null;
