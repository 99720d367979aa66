// Which entries git would not show: the .gitignore files from the repository's root down to a directory,
// and .git/info/exclude. The innermost file with a rule for an entry decides.
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { IgnoreFile } from "./ignore-file.ts";

interface Level {
  /** The length of the path before the part that the file's rules match. */
  readonly skip: number;
  readonly file: IgnoreFile;
}

export class IgnoreRules {
  /** The innermost first. */
  readonly #levels: readonly Level[];

  private constructor(levels: readonly Level[]) {
    this.#levels = levels;
  }

  static readonly none = new IgnoreRules([]);

  /** What applies in `directory` from above. A directory that was asked for by name is looked into, ignored or not. */
  static above(directory: string): IgnoreRules {
    const parents: string[] = [];
    let root = directory;
    while (!existsSync(join(root, ".git"))) {
      const parent = dirname(root);
      if (parent === root) return IgnoreRules.none; // in no repository: only its own files count
      root = parent;
      parents.push(root);
    }
    let rules = IgnoreRules.none.#with(root, join(root, ".git/info/exclude"));
    const path = [...parents.toReversed(), directory];
    for (const [index, outer] of parents.toReversed().entries()) {
      rules = rules.enter(outer);
      if (rules.ignores(path[index + 1] ?? "", true)) return IgnoreRules.none;
    }
    return rules;
  }

  /** The rules inside a directory. */
  enter(directory: string): IgnoreRules {
    return this.#with(directory, join(directory, ".gitignore"));
  }

  #with(directory: string, path: string): IgnoreRules {
    const text = readRules(path);
    if (text === null) return this;
    const skip = directory.endsWith("/") ? directory.length : directory.length + 1;
    return new IgnoreRules([{ skip, file: new IgnoreFile(text) }, ...this.#levels]);
  }

  /** For an entry whose directory is not ignored. */
  ignores(full: string, isDirectory: boolean): boolean {
    if (this.#levels.length === 0) return false;
    const name = basename(full);
    for (const { skip, file } of this.#levels) {
      const verdict = file.verdict(full.slice(skip), name, isDirectory);
      if (verdict !== undefined) return verdict;
    }
    return false;
  }
}

/** A longer .gitignore was not written by a person, and is skipped. */
const maxRulesChars = 1024 * 1024;

function readRules(path: string): string | null {
  try {
    const text = readFileSync(path, "utf8");
    return text.length > maxRulesChars ? null : text;
  } catch {
    return null; // nearly every directory has none
  }
}
