// What a person chooses of an agent: its model, its mode, one of its commands.
import type { AgentSession } from "./agent-session.ts";
import type { Outlet } from "./outlet.ts";
import type { Wire } from "./wire.ts";

export async function setModel(
  wire: Wire,
  session: AgentSession,
  provider: string,
  wish: string,
): Promise<object> {
  const configId = session.modelOptionId;
  if (configId === undefined) throw new Error("This agent does not let others choose its model.");
  const models = session.models(provider).map(({ id }) => id);
  const model = models.find((id) => id === wish || `${provider}/${id}` === wish);
  if (model === undefined)
    throw new Error(`This agent has no model "${wish}". It has: ${models.join(", ")}.`);
  const params = { sessionId: session.id, configId, value: model };
  session.setOptions(await wire.request("session/set_config_option", params));
  return { model, provider };
}

/** `/mode` is ours; the others are prompts that the agent knows how to read. */
export async function runCommand(
  wire: Wire,
  session: AgentSession,
  outlet: Outlet,
  { name, args }: { name: string; args: unknown },
): Promise<object> {
  const rest = typeof args === "string" ? args : "";
  if (name !== "mode" || session.modeNames.length === 0)
    return { action: "prompt", text: rest === "" ? `/${name}` : `/${name} ${rest}` };
  const modeId = session.mode(rest);
  if (modeId === null) throw new Error(`The modes of this agent: ${session.modeNames.join(", ")}.`);
  await wire.request("session/set_mode", { sessionId: session.id, modeId });
  outlet.frame(...session.take({ sessionUpdate: "current_mode_update", currentModeId: modeId }));
  return { action: "noop" };
}
