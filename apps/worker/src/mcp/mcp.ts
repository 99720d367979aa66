// The feature "MCP servers". Where no config file names a server, nothing of it is loaded.
import { existsSync } from "node:fs";
import type { PromptSource, Service, ToolSource } from "../features/contributions.ts";
import type { CommandOutcome, CommandSource, SlashCommand } from "../features/slash-command.ts";
import type { Tool } from "../tools/tool.ts";
import { configPaths } from "./config-paths.ts";
import type { McpHost, McpHostOptions } from "./host.ts";

export class Mcp implements Service, PromptSource, ToolSource, CommandSource {
  readonly #options: McpHostOptions;
  #host: McpHost | undefined;
  #closed = false;

  constructor(options: McpHostOptions) {
    this.#options = options;
  }

  async open(cwd: string): Promise<void> {
    if (!configPaths(cwd, this.#options.home).some(({ path }) => existsSync(path))) return;
    const { McpHost } = await import("./host.ts");
    if (this.#closed) return;
    this.#host = new McpHost(this.#options);
    await this.#host.open(cwd);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#host?.close();
  }

  tools(): readonly Tool[] {
    return this.#host?.tools() ?? [];
  }

  async section(): Promise<string | undefined> {
    return this.#host?.section();
  }

  commands(): readonly SlashCommand[] {
    return this.#host?.commands() ?? [];
  }

  async run(name: string, args: string, signal: AbortSignal): Promise<CommandOutcome> {
    if (this.#host === undefined) throw new Error(`there is no command /${name}`);
    return this.#host.run(name, args, signal);
  }
}
