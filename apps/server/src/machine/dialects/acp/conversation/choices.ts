// What a person chooses at an agent: its model, its mode, one of its commands.
import type { FrameWriter, OutputFrame } from "../../frame-writer.ts";
import { errorText } from "../wire/agent-errors.ts";
import { findAgentModel, selectModel } from "../wire/models.ts";
import type { AcpClient } from "../wire/rpc-client.ts";
import { type AgentSession, unknownModel } from "./agent-session.ts";

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
  return session.setModels(await selectModel(client, session.id, models, id));
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
  if (name !== "mode" || session.modeNames.length === 0)
    return { action: "prompt", text: rest === "" ? `/${name}` : `/${name} ${rest}` };
  const modeId = session.mode(rest);
  if (modeId === null) throw new Error(`The modes of this agent: ${session.modeNames.join(", ")}.`);
  await client.request("session/set_mode", { sessionId: session.id, modeId });
  out.frame(...session.apply({ sessionUpdate: "current_mode_update", currentModeId: modeId }));
  return { action: "noop" };
}
