// Instructions, skills and prompts of one session's directory, together.
// They are looked for again with every turn: the agent itself may have just written one.
import type { CommandOutcome, SlashCommand } from "../features/slash-command.ts";
import { noticesTo } from "../output/notices.ts";
import type { WorkerOutput } from "../output/worker-output.ts";
import type { Tool } from "../tools/tool.ts";
import { Instructions } from "./instructions.ts";
import { Skills } from "./skills.ts";
import { Templates } from "./templates.ts";

export interface ProjectContextOptions {
  readonly session: { readonly cwd: string };
  /** Patchbay's home directory. */
  readonly home: string;
  readonly skills: boolean;
  readonly output: WorkerOutput;
}

export class ProjectContext {
  readonly #session: { readonly cwd: string };
  readonly #instructions: Instructions;
  /** Null: turned off by --no-skills. */
  readonly #skills: Skills | null;
  readonly #templates: Templates;

  constructor({ session, home, skills, output }: ProjectContextOptions) {
    const notice = noticesTo(output, "context");
    this.#session = session;
    this.#instructions = new Instructions(home, notice);
    this.#skills = skills ? new Skills(home, notice) : null;
    this.#templates = new Templates(home, notice);
  }

  async section(): Promise<string | undefined> {
    const { cwd } = this.#session;
    await this.#skills?.refresh(cwd);
    const sections = [await this.#instructions.section(cwd), this.#skills?.section()];
    return sections.filter((section) => section !== undefined).join("\n\n") || undefined;
  }

  tools(): readonly Tool[] {
    return this.#skills?.tools() ?? [];
  }

  async refresh(): Promise<void> {
    const { cwd } = this.#session;
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
