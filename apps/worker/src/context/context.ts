// What a project and its person say about how to work there: instructions, skills and prompts.
// All of it loads with the first turn or the first question about commands; a worker that waits has none of it.
import type { Agent } from "../agent/agent.ts";
import type { ProjectContext } from "./project-context.ts";

export function addContext(agent: Agent): void {
  let context: ProjectContext | undefined;
  const load = async (): Promise<ProjectContext> => {
    const { ProjectContext } = await import("./project-context.ts");
    context ??= new ProjectContext(agent);
    return context;
  };
  agent.promptSources.push({ section: async () => (await load()).section() });
  agent.toolSources.push({ tools: () => context?.tools() ?? [] });
  agent.commandSources.push({
    refresh: async () => (await load()).refresh(),
    commands: () => context?.commands() ?? [],
    run: async (name, args) => (await load()).run(name, args),
  });
}
