// The feature "project context": instructions, skills and prompts of a project and of its person.
// It loads with the first turn or the first list of commands, so that an idle worker holds none of it.
import type { PromptSource, ToolSource } from "../features/contributions.ts";
import type { CommandOutcome, CommandSource, SlashCommand } from "../features/slash-command.ts";
import type { Tool } from "../tools/tool.ts";
import type { ProjectContext, ProjectContextOptions } from "./project-context.ts";

export class Context implements PromptSource, ToolSource, CommandSource {
  readonly #options: ProjectContextOptions;
  #loaded: ProjectContext | undefined;

  constructor(options: ProjectContextOptions) {
    this.#options = options;
  }

  async section(): Promise<string | undefined> {
    return (await this.#load()).section();
  }

  tools(): readonly Tool[] {
    return this.#loaded?.tools() ?? [];
  }

  async refresh(): Promise<void> {
    await (await this.#load()).refresh();
  }

  commands(): readonly SlashCommand[] {
    return this.#loaded?.commands() ?? [];
  }

  async run(name: string, args: string): Promise<CommandOutcome> {
    return (await this.#load()).run(name, args);
  }

  async #load(): Promise<ProjectContext> {
    const { ProjectContext } = await import("./project-context.ts");
    this.#loaded ??= new ProjectContext(this.#options);
    return this.#loaded;
  }
}
