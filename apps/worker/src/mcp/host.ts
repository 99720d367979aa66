// All MCP servers of a session. Those a person configured for themselves start at once; those of the
// project when its directory is trusted. The first turn waits a bounded time for a slow one, which joins later.
import { join } from "node:path";
import type { Trust } from "../approvals/trust.ts";
import type { CommandOutcome, SlashCommand } from "../features/slash-command.ts";
import { noticesTo } from "../output/notices.ts";
import type { UiChannel } from "../output/ui-channel.ts";
import type { WorkerOutput } from "../output/worker-output.ts";
import { LogFile } from "../processes/log-file.ts";
import type { Tool } from "../tools/tool.ts";
import { readServerConfig, type ServerSpec } from "./config.ts";
import { runServerPrompt, serverCommands } from "./prompts.ts";
import { McpServer } from "./server.ts";
import { serverTools } from "./tools.ts";

/** A local server is ready in half a second. A person who has written a prompt notices three. */
const firstTurnMs = 2_000;

const overview: SlashCommand = {
  name: "mcp",
  description: "Show the MCP servers and their state",
  source: "patchbay",
};

export interface McpHostOptions {
  /** Patchbay's home directory: the person's own config file and the logs are there. */
  readonly home: string;
  /** What config files may refer to. */
  readonly variables: Readonly<Record<string, string>>;
  /** The environment of the servers that are started. */
  readonly shellEnv: Readonly<Record<string, string>>;
  readonly output: WorkerOutput;
  readonly ui: UiChannel;
  readonly trust: Trust;
}

export class McpHost {
  readonly #options: McpHostOptions;
  readonly #notice: (message: string) => void;
  readonly #servers: McpServer[] = [];
  #tools: readonly Tool[] = [];
  #opened = false;
  #closed = false;

  constructor(options: McpHostOptions) {
    this.#options = options;
    this.#notice = noticesTo(options.output, "mcp");
  }

  async open(cwd: string): Promise<void> {
    try {
      const { home, variables } = this.#options;
      const specs = await readServerConfig(cwd, home, variables, this.#notice);
      const own = specs.filter((spec) => !spec.project);
      const projects = specs.filter((spec) => spec.project);
      const trusted = projects.length > 0 && (await this.#options.trust.isTrusted(cwd));
      const starting = this.#start(trusted ? specs : own);
      if (projects.length > 0 && !trusted) void this.#startWhenTrusted(cwd, projects);
      await within(firstTurnMs, starting);
    } catch (error) {
      this.#notice(`MCP servers cannot be used: ${error instanceof Error ? error.message : String(error)}`);
    }
    this.#opened = true;
  }

  async #startWhenTrusted(cwd: string, specs: readonly ServerSpec[]): Promise<void> {
    try {
      const allowed = await this.#options.trust.allows(cwd, specs.map(describeSpec));
      if (allowed) await this.#start(specs);
    } catch (error) {
      this.#notice(`MCP servers of ${cwd}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  async #start(specs: readonly ServerSpec[]): Promise<void> {
    if (this.#closed) return;
    const servers = specs.map((spec) => {
      const path = join(this.#options.home, "logs", `mcp-${spec.name}.log`);
      const log = new LogFile(path, (error) =>
        this.#notice(`${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`),
      );
      return new McpServer(spec, this.#options, log, () => this.#offerChanged());
    });
    this.#servers.push(...servers);
    await Promise.all(
      servers.map((server) =>
        server.client().catch((error: unknown) => {
          if (this.#closed) return;
          this.#notice(
            `${error instanceof Error ? error.message : String(error)} (its log: ${server.log.path})`,
          );
        }),
      ),
    );
  }

  #offerChanged(): void {
    const tools = new Map<string, Tool>();
    for (const tool of this.#servers.flatMap(serverTools)) {
      if (tools.has(tool.name)) this.#notice(`there are two MCP tools ${tool.name}; the first is used`);
      else tools.set(tool.name, tool);
    }
    this.#tools = [...tools.values()];
    if (this.#opened && !this.#closed) this.#options.output.write({ type: "commands_changed" });
  }

  tools(): readonly Tool[] {
    return this.#tools;
  }

  section(): string | undefined {
    const sections = this.#servers.flatMap(({ spec, instructions }) =>
      instructions?.trim() ? [`<mcp_server name="${spec.name}">\n${instructions.trim()}\n</mcp_server>`] : [],
    );
    if (sections.length === 0) return undefined;
    return `How to use the tools of MCP servers, in their own words:\n\n${sections.join("\n\n")}`;
  }

  commands(): SlashCommand[] {
    return [...this.#servers.flatMap(serverCommands), overview];
  }

  async run(name: string, args: string, signal: AbortSignal): Promise<CommandOutcome> {
    if (name === overview.name) return this.#show();
    for (const server of this.#servers) {
      const outcome = await runServerPrompt(server, name, args, signal);
      if (outcome !== null) return outcome;
    }
    throw new Error(`there is no command /${name}`);
  }

  #show(): CommandOutcome {
    const lines = this.#servers.map(
      ({ spec, status, tools, log }) =>
        `- **${spec.name}** (${spec.file}): ${status}, ${tools.length} tools, log ${log.path}`,
    );
    const text = lines.join("\n") || "No MCP server was started. Is the directory trusted?";
    this.#options.output.write({ type: "ext_display", extension: "mcp", text });
    return { action: "done", data: { action: "display" } };
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#servers.map((server) => server.close()));
  }
}

/** What a person reads before they trust it. Never the environment or headers: they may hold secrets. */
const describeSpec = ({ name, transport }: ServerSpec): string =>
  transport.kind === "stdio"
    ? `MCP server ${name}: ${[transport.command, ...transport.args].join(" ")}`
    : `MCP server ${name}: ${transport.url.origin}${transport.url.pathname}`;

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([
    work,
    new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    }),
  ]);
  clearTimeout(timer);
}
