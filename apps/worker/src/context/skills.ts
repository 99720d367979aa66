// Skills: listed in the system prompt, loaded whole by the `skill` tool or by the person with `/skill:name`. Until
// then only their names and descriptions cost tokens.
import * as z from "zod/mini";
import type { CommandOutcome, SlashCommand } from "../features/slash-command.ts";
import type { ShowNotice } from "../output/notices.ts";
import { defineTool, succeeded, type Tool } from "../tools/tool.ts";
import { readStart } from "./file-cache.ts";
import { readFrontMatter } from "./front-matter.ts";
import { type Skill, SkillFiles } from "./skill-files.ts";

/** Instructions of this length fill a tenth of a large context; what is longer belongs into files beside it. */
const maxSkillBytes = 64 * 1024;
/** The list goes with every model call. */
const maxListChars = 16 * 1024;
const prefix = "skill:";

export class Skills {
  readonly #files: SkillFiles;
  #found: Skill[] = [];

  constructor(home: string, notice: ShowNotice) {
    this.#files = new SkillFiles(home, notice);
  }

  async refresh(cwd: string): Promise<void> {
    this.#found = await this.#files.find(cwd);
  }

  section(): string | undefined {
    if (this.#found.length === 0) return undefined;
    const lines = this.#found.map(({ name, description }) => `- ${name}: ${description}`);
    const shown: string[] = [];
    for (let room = maxListChars; shown.length < lines.length; ) {
      const line = lines[shown.length] ?? "";
      room -= line.length + 1;
      if (room < 0) break;
      shown.push(line);
    }
    const rest = lines.length - shown.length;
    const more = rest === 0 ? "" : `\n(${rest} more do not fit here)`;
    return `Skills: instructions for particular tasks. When one fits what was asked, load it with the skill tool before you begin.\n${shown.join("\n")}${more}`;
  }

  tools(): readonly Tool[] {
    return this.#found.length === 0 ? [] : [this.#tool];
  }

  readonly #tool = defineTool({
    name: "skill",
    description:
      "Load the instructions of a skill by its name. Paths in them are relative to the skill's directory.",
    effect: "reads",
    args: z.object({ name: z.string().check(z.minLength(1), z.describe("One of the skills listed above")) }),
    run: async ({ name }) => succeeded(await load(this.#named(name))),
  });

  commands(): SlashCommand[] {
    return this.#found.map(({ name, description }) => ({
      name: prefix + name,
      description,
      source: "skill",
      hint: "[what to do]",
    }));
  }

  /** Null: not a skill's command. */
  async run(command: string, args: string): Promise<CommandOutcome | null> {
    if (!command.startsWith(prefix)) return null;
    const text = await load(this.#named(command.slice(prefix.length)));
    const written = `/${command}${args.trim() === "" ? "" : ` ${args.trim()}`}`;
    return { action: "prompt", text: written, attached: [{ type: "text", text, mention: command }] };
  }

  #named(name: string): Skill {
    const skill = this.#found.find((known) => known.name === name);
    if (skill !== undefined) return skill;
    const known = this.#found.map((other) => other.name).join(", ") || "none";
    throw new Error(`there is no skill "${name}"; available: ${known}`);
  }
}

async function load({ name, directory, path }: Skill): Promise<string> {
  const { text, left } = await readStart(path, maxSkillBytes);
  const { body } = await readFrontMatter(text);
  const note = left > 0 ? `\n[cut here: ${left} bytes more in ${path}]` : "";
  return `<skill name="${name}" directory="${directory}">\n${body.trim()}${note}\n</skill>`;
}
