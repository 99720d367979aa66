// What a person chooses at an agent: its model, how long it thinks, its mode, one of its commands.
import { ThinkingLevel } from "@patchbay/protocol";
import type { FrameWriter, OutputFrame } from "../../frame-writer.ts";
import { errorText } from "../wire/agent-errors.ts";
import { findAgentModel, selectModel } from "../wire/models.ts";
import type { AcpClient } from "../wire/rpc-client.ts";
import { type AgentSession, unknownModel } from "./agent-session.ts";
import { levelsOf, valueOf } from "./thinking-levels.ts";

/** Returns the frames for viewers. */
export async function setModel(
  client: AcpClient,
  session: AgentSession,
  provider: string,
  wanted: string,
): Promise<OutputFrame[]> {
  const { models } = session;
  if (models === undefined || models.offered.length === 0)
    throw new Error("You cannot choose the model of this agent.");
  const id = findAgentModel(models, provider, wanted);
  if (id === undefined) {
    const names = models.offered.map((model) => model.id).join(", ");
    throw new Error(`This agent has no model "${wanted}". It has: ${names}.`);
  }
  const reported = await selectModel(client, session.id, models, id);
  // Before the answer: what the agent reports then may be a model that it took instead.
  const chosen = session.setModel(id);
  return [...chosen, ...session.setOptions(reported)];
}

/** Returns the frames for viewers. */
export async function setLevel(
  client: AcpClient,
  session: AgentSession,
  wanted: ThinkingLevel,
): Promise<OutputFrame[]> {
  const { effort } = session;
  const value = effort && valueOf(effort, wanted);
  if (effort?.optionId === undefined || value === undefined) {
    const levels = levelsOf(effort);
    throw new Error(
      levels.length === 0
        ? "You cannot choose how long this agent thinks."
        : `This agent has no level "${wanted}". It has: ${levels.join(", ")}.`,
    );
  }
  return session.setOptions(await setOption(client, session, effort.optionId, value));
}

const setOption = (client: AcpClient, { id }: AgentSession, configId: string, value: string) =>
  client.request("session/set_config_option", { sessionId: id, configId, value });

/** Returns the frames for viewers. */
async function setMode(client: AcpClient, session: AgentSession, wanted: string): Promise<OutputFrame[]> {
  const { modes } = session;
  const id = session.mode(wanted);
  if (modes === undefined || id === null)
    throw new Error(`The modes of this agent: ${modes?.offered.map((mode) => mode.id).join(", ")}.`);
  if (modes.optionId === undefined)
    await client.request("session/set_mode", { sessionId: session.id, modeId: id });
  const reported =
    modes.optionId === undefined ? undefined : await setOption(client, session, modes.optionId, id);
  return [...session.setMode(id), ...session.setOptions(reported)];
}

interface ChosenSettings {
  level: string | undefined;
  mode: string | undefined;
}

/** Applies what was chosen in an earlier process or before a `clear`. What the agent refuses, or does not have now, stays as it is. */
export async function applyChosenSettings(
  client: AcpClient,
  session: AgentSession,
  { level, mode }: ChosenSettings,
): Promise<void> {
  const wanted = ThinkingLevel.safeParse(level).data;
  const value = wanted && session.effort && valueOf(session.effort, wanted);
  if (wanted !== undefined && value !== undefined && value !== session.effort?.current)
    await setLevel(client, session, wanted).catch(() => {}); // its own stays
  if (mode !== undefined && session.mode(mode) !== null && mode !== session.modes?.current)
    await setMode(client, session, mode).catch(() => {}); // its own stays
}

/** Applies the model that was chosen before the session was open. If the agent lacks it, a notice is returned and the agent's model stays. */
export async function applyChosenModel(
  client: AcpClient,
  session: AgentSession,
  provider: string,
  chosen: string | undefined,
): Promise<OutputFrame[]> {
  if (chosen === undefined) return [];
  const id = session.models && findAgentModel(session.models, provider, chosen);
  if (id !== undefined && id === session.model) return [];
  // Our own name for the model of an agent that does not report it.
  const isPlaceholder = chosen === unknownModel || chosen === `${provider}/${unknownModel}`;
  try {
    await setModel(client, session, provider, chosen);
    return [];
  } catch (error) {
    if (isPlaceholder) return [];
    const current = session.model === undefined ? "its own" : session.model;
    const message = `${errorText(error)} ${chosen} was chosen, but ${current} stays in use.`;
    return [{ type: "ext_notify", extension: provider, level: "warn", message }];
  }
}

/** `/mode` is ours; the agent's own commands are sent to it as prompts. */
export async function runCommand(
  client: AcpClient,
  session: AgentSession,
  out: FrameWriter,
  { name, args }: { name: string; args: unknown },
): Promise<object> {
  const rest = typeof args === "string" ? args : "";
  if (name !== "mode" || session.modes === undefined)
    return { action: "prompt", text: rest === "" ? `/${name}` : `/${name} ${rest}` };
  out.frame(...(await setMode(client, session, rest)));
  return { action: "noop" };
}
