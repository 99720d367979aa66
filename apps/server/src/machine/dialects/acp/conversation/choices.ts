// What a person chooses of an agent: its model, its mode, one of its commands.

import type { FrameOutput, OutputFrame } from "../../frame-output.ts";
import { words } from "../wire/agent-errors.ts";
import { choose, meant } from "../wire/models.ts";
import type { Wire } from "../wire/rpc-client.ts";
import { type AgentSession, unknownModel } from "./agent-session.ts";

/** Gives what viewers are to be told. */
export async function setModel(
  wire: Wire,
  session: AgentSession,
  provider: string,
  wish: string,
): Promise<OutputFrame[]> {
  const { models } = session;
  if (models === undefined || models.offered.length === 0)
    throw new Error("This agent does not let others choose its model.");
  const id = meant(models, provider, wish);
  if (id === undefined) {
    const names = models.offered.map((model) => model.id).join(", ");
    throw new Error(`This agent has no model "${wish}". It has: ${names}.`);
  }
  return session.setModels(await choose(wire, session.id, models, id));
}

/** The model that was chosen before there was a session; what the agent has not is told in words, and it uses its own. */
export async function fulfil(
  wire: Wire,
  session: AgentSession,
  provider: string,
  wish: string | undefined,
): Promise<OutputFrame[]> {
  if (wish === undefined) return [];
  const id = session.models && meant(session.models, provider, wish);
  if (id !== undefined && id === session.model) return [];
  // Said by us, of an agent that does not say which one it uses.
  const isOurWord = wish === unknownModel || wish === `${provider}/${unknownModel}`;
  try {
    await setModel(wire, session, provider, wish);
    return [];
  } catch (error) {
    if (isOurWord) return [];
    const uses = session.model === undefined ? "its own" : session.model;
    const message = `${words(error)} ${wish} was chosen; it goes on with ${uses}.`;
    return [{ type: "ext_notify", extension: provider, level: "warn", message }];
  }
}

/** `/mode` is ours; the others are prompts that the agent knows how to read. */
export async function runCommand(
  wire: Wire,
  session: AgentSession,
  out: FrameOutput,
  { name, args }: { name: string; args: unknown },
): Promise<object> {
  const rest = typeof args === "string" ? args : "";
  if (name !== "mode" || session.modeNames.length === 0)
    return { action: "prompt", text: rest === "" ? `/${name}` : `/${name} ${rest}` };
  const modeId = session.mode(rest);
  if (modeId === null) throw new Error(`The modes of this agent: ${session.modeNames.join(", ")}.`);
  await wire.request("session/set_mode", { sessionId: session.id, modeId });
  out.frame(...session.take({ sessionUpdate: "current_mode_update", currentModeId: modeId }));
  return { action: "noop" };
}
