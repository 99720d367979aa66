// AGENTS.md, and CLAUDE.md where there is no AGENTS.md beside it, for the system prompt. The search goes
// up to the repository's root or the person's home and never beyond, where other users may write.
import { realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve, sep } from "node:path";
import type { ShowNotice } from "../output/notices.ts";
import { FileCache } from "./file-cache.ts";

/** A page of prose is 3 KB. Every byte is paid for with each model call. */
const maxFileBytes = 32 * 1024;
const maxTotalChars = 64 * 1024;
/** A deeper path is a loop of links. */
const maxLevels = 40;
const names = ["AGENTS.md", "CLAUDE.md"];

export class Instructions {
  readonly #home: string;
  readonly #files = new FileCache(maxFileBytes);
  readonly #notice: ShowNotice;

  constructor(home: string, notice: ShowNotice) {
    this.#home = home;
    this.#notice = notice;
  }

  async section(cwd: string): Promise<string | undefined> {
    const places = await placesFrom(resolve(cwd));
    const found: { path: string; text: string; left: number }[] = [];
    const seen = new Set<string>();
    for (const directory of [this.#home, ...places]) {
      const file = await this.#fileIn(directory, directory === this.#home ? directory : (places[0] ?? cwd));
      if (file === null || seen.has(file.real) || file.text.trim() === "") continue;
      seen.add(file.real);
      found.push(file);
    }
    if (found.length === 0) return undefined;
    return `Instructions for work in this directory. Where they differ, a later one wins.\n\n${blocks(found)}`;
  }

  async #fileIn(directory: string, top: string) {
    for (const name of names) {
      const path = join(directory, name);
      try {
        const file = await this.#files.read(path);
        if (file === null) continue;
        const real = await realpath(path);
        if (isInside(real, await realpath(top))) return { ...file, path, real };
        // A repository must not make the worker send a private file of this machine to a model.
        this.#notice(`${path} is a link that leads out of ${top}, so it is not read`);
      } catch (error) {
        this.#notice(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    return null;
  }
}

const isInside = (path: string, directory: string): boolean =>
  path.startsWith(directory.endsWith(sep) ? directory : directory + sep);

/** From the outermost directory to the working one. */
async function placesFrom(cwd: string): Promise<string[]> {
  const upwards: string[] = [];
  const home = homedir();
  for (let at = cwd; upwards.length < maxLevels; at = dirname(at)) {
    upwards.push(at);
    if (at === home || (await exists(join(at, ".git")))) return upwards.toReversed();
    if (at === dirname(at)) break;
  }
  return [cwd]; // in no repository and not in the person's home: what lies above is not theirs
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** When there is not room for all, the nearest ones are kept. */
function blocks(files: readonly { path: string; text: string; left: number }[]): string {
  let room = maxTotalChars;
  return files
    .toReversed()
    .map(({ path, text, left }) => {
      const kept = text.slice(0, room);
      room -= kept.length;
      const cut = left > 0 || kept.length < text.length;
      const note = cut ? `\n[cut here: the file is longer; read ${path} for the rest]` : "";
      return `<instructions path="${path}">\n${kept.trim()}${note}\n</instructions>`;
    })
    .toReversed()
    .join("\n\n");
}
