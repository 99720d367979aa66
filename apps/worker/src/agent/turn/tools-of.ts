// The tools the model may call in this step: the built-in ones, and what the agent's surroundings add.
import { createTools, type Tool } from "../../tools/tools.ts";
import type { Agent } from "../agent.ts";

/** The built-in ones win over others of the same name. */
export function toolsOf(agent: Agent): Tool[] {
  const all = [...createTools(agent.flags.tools), ...agent.toolSources.flatMap((source) => source.tools())];
  return [...new Map(all.toReversed().map((tool) => [tool.name, tool])).values()].toReversed();
}
