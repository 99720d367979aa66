// MCP servers beside the agent. Where no config file names any, nothing of it is loaded.
import { existsSync } from "node:fs";
import type { Agent } from "../agent/agent.ts";
import { configPaths } from "./config-paths.ts";
import type { McpHost } from "./host.ts";

export function addMcp(agent: Agent): void {
  let host: McpHost | undefined;
  agent.companions.push({
    async open(cwd) {
      if (!configPaths(cwd, agent.home).some(({ path }) => existsSync(path))) return;
      const { McpHost } = await import("./host.ts");
      if (agent.closing.aborted) return;
      host = new McpHost(agent);
      await host.open(cwd);
    },
    close: async () => host?.close(),
  });
  agent.toolSources.push({ tools: () => host?.tools() ?? [] });
  agent.promptSources.push({ section: async () => host?.section() });
  agent.commandSources.push({
    commands: () => host?.commands() ?? [],
    run: async (name, args, signal) => {
      if (host === undefined) throw new Error(`there is no command /${name}`);
      return host.run(name, args, signal);
    },
  });
}
