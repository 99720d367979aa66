// Where and how the agent's tools work, as of now: the directory may have come with `begin`.
import { outputsIn } from "../tools/kept-outputs.ts";
import type { ToolContext } from "../tools/tool.ts";
import type { Agent } from "./agent.ts";

export const toolContext = (
  { conversation, config, home, jail }: Agent,
  signal: AbortSignal,
  progress: ToolContext["progress"],
): ToolContext => ({
  cwd: conversation.cwd,
  shellEnv: config.shellEnv,
  outputs: outputsIn(home),
  jail: jail.confinement(),
  signal,
  progress,
});
