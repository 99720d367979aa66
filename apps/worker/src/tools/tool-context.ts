// Where and how the agent's tools work, as of now: the directory may have come with `begin`.

import type { Agent } from "../agent/agent.ts";
import { outputsIn } from "./shell/kept-outputs.ts";
import type { ToolContext } from "./tool.ts";

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
