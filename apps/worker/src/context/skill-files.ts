// Finds skills: directories with a SKILL.md whose front matter describes its use. The first root that
// has a name wins, so that a project can replace a person's own.
import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { ShowNotice } from "../output/notices.ts";
import { FileCache } from "./file-cache.ts";
import { fieldText, readFrontMatter } from "./front-matter.ts";

export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly directory: string;
  readonly path: string;
}

/** Front matter is a few lines; the rest of the file is read when the skill is wanted. */
const maxFrontMatterBytes = 16 * 1024;
/** A directory with more entries is not one of skills. */
const maxPerRoot = 200;
const maxDescription = 1_024;
/** Becomes part of a slash command, and of an argument that a model writes. */
const nameShape = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

export class SkillFiles {
  readonly #home: string;
  readonly #notice: ShowNotice;
  readonly #files = new FileCache(maxFrontMatterBytes);
  readonly #parsed = new Map<string, { readonly version: string; readonly skill: Skill }>();

  constructor(home: string, notice: ShowNotice) {
    this.#home = home;
    this.#notice = notice;
  }

  async find(cwd: string): Promise<Skill[]> {
    const found = new Map<string, Skill>();
    for (const root of rootsFor(cwd, this.#home)) {
      for (const name of await directoriesIn(root)) {
        const skill = await this.#skillIn(join(root, name), name);
        if (skill !== null && !found.has(skill.name)) found.set(skill.name, skill);
      }
    }
    return [...found.values()];
  }

  async #skillIn(directory: string, name: string): Promise<Skill | null> {
    const path = join(directory, "SKILL.md");
    try {
      const file = await this.#files.read(path);
      if (file === null) return null;
      const known = this.#parsed.get(path);
      if (known?.version === file.version) return known.skill;
      const skill = { ...(await parseSkill(file.text, name)), directory, path };
      this.#parsed.set(path, { version: file.version, skill });
      return skill;
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      this.#notice(`the skill ${path} cannot be used: ${problem}`);
      return null;
    }
  }
}

/** Throws a sentence about what is wrong with it. */
async function parseSkill(text: string, directoryName: string): Promise<Pick<Skill, "name" | "description">> {
  const { fields } = await readFrontMatter(text);
  const name = fieldText(fields["name"]) ?? directoryName;
  const description = fieldText(fields["description"]);
  if (!nameShape.test(name)) {
    throw new Error(`its name "${name.slice(0, 80)}" may have letters, digits, "-", "_" and "." only`);
  }
  if (description === undefined) {
    throw new Error("its front matter has no description, which says when to use it");
  }
  return { name, description: description.replace(/\s+/g, " ").slice(0, maxDescription) };
}

const rootsFor = (cwd: string, home: string): string[] => [
  ...[".patchbay", ".zot", ".claude", ".agents"].map((owner) => join(cwd, owner, "skills")),
  join(home, "skills"),
  join(homedir(), ".claude/skills"),
];

/** Links too: people keep skills in one place and link to them. */
async function directoriesIn(root: string): Promise<string[]> {
  try {
    const entries = await readdir(root, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map((entry) => entry.name)
      .sort()
      .slice(0, maxPerRoot);
  } catch {
    return []; // there is none, which is usual
  }
}
