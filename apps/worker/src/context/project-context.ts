// Instructions, skills and prompts of one session's directory, together.
// They are looked for again with every turn: the agent itself may have just written one.
import type { Agent } from "../agent/agent.ts";
import type { CommandOutcome, SlashCommand } from "../features/contributions.ts";
import { noticesTo } from "../output/notices.ts";
import type { Tool } from "../tools/tool.ts";
import { Instructions } from "./instructions.ts";
import { Skills } from "./skills.ts";
import { Templates } from "./templates.ts";

export class ProjectContext {
  readonly #agent: Agent;
  readonly #instructions: Instructions;
  /** Null: a flag said that there shall be none. */
  readonly #skills: Skills | null;
  readonly #templates: Templates;

  constructor(agent: Agent) {
    const notice = noticesTo(agent.output, "context");
    this.#agent = agent;
    this.#instructions = new Instructions(agent.home, notice);
    this.#skills = agent.flags.skills ? new Skills(agent.home, notice) : null;
    this.#templates = new Templates(agent.home, notice);
  }

  async section(): Promise<string | undefined> {
    const { cwd } = this.#agent.conversation;
    await this.#skills?.refresh(cwd);
    const sections = [await this.#instructions.section(cwd), this.#skills?.section()];
    return sections.filter((section) => section !== undefined).join("\n\n") || undefined;
  }

  tools(): readonly Tool[] {
    return this.#skills?.tools() ?? [];
  }

  async refresh(): Promise<void> {
    const { cwd } = this.#agent.conversation;
    await Promise.all([this.#skills?.refresh(cwd), this.#templates.refresh(cwd)]);
  }

  commands(): SlashCommand[] {
    return [...this.#templates.commands(), ...(this.#skills?.commands() ?? [])];
  }

  async run(name: string, args: string): Promise<CommandOutcome> {
    const outcome = this.#templates.run(name, args) ?? (await this.#skills?.run(name, args));
    if (!outcome) throw new Error(`there is no command /${name}`);
    return outcome;
  }
}
