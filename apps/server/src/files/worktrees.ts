// A git worktree for one session: a directory and a branch of its own, so that several agents can work on one
// repository without getting in each other's way. They lie in Patchbay's home.
import { realpathSync } from "node:fs";
import { mkdir, realpath } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { PatchbayError } from "@patchbay/protocol";
import { findRepository } from "./repository.ts";
import { runGit } from "./run-git.ts";

interface WorktreesOptions {
  /** Where they are made. */
  root: string;
  /** Where git is found, and whose configuration holds: this is the person's own repository. */
  path: string;
  home: string;
}

export class Worktrees {
  readonly #options: WorktreesOptions;

  constructor(options: WorktreesOptions) {
    this.#options = options;
  }

  /** Where a session works that was asked for in `cwd`, and what it works for where that is another directory. */
  async place(session: string, cwd: string, own: boolean): Promise<{ cwd: string; project?: string }> {
    if (!own) return { cwd, ...this.originOf(cwd) };
    return { cwd: await this.#add(session, cwd), project: this.originOf(cwd).project ?? cwd };
  }

  /** Of a directory in one of these worktrees: the one in the repository that corresponds to it. */
  originOf(cwd: string): { project?: string } {
    const { root } = this.#options;
    if (!cwd.startsWith(realRoot(root) + sep)) return {};
    const repository = findRepository(cwd);
    return repository === undefined ? {} : { project: join(dirname(repository.common), repository.prefix) };
  }

  /** The directory in it that corresponds to `cwd`. */
  async #add(session: string, cwd: string): Promise<string> {
    const repository = findRepository(cwd);
    if (repository === undefined)
      throw new PatchbayError("bad_directory", `${cwd} is in no git repository, so it can have no worktree.`);
    const path = join(this.#options.root, session);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    try {
      await this.#git(repository.root, ["worktree", "add", "-q", "-b", branchFor(session), path, "HEAD"]);
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      throw new PatchbayError(
        "bad_directory",
        `Git could not make a worktree of ${repository.root}: ${problem}`,
      );
    }
    return join(await realpath(path), repository.prefix);
  }

  /** Removes the worktree of a session if nothing in it would be lost; its branch stays. Says whether it is gone. */
  async remove(session: string, cwd: string): Promise<"none" | "removed" | "kept"> {
    const path = join(this.#options.root, session);
    const repository = findRepository(cwd);
    const ours = await realpath(path).catch(() => undefined);
    if (repository === undefined || ours === undefined) return "none";
    if (repository.root !== ours || !`${cwd}${sep}`.startsWith(ours + sep)) return "none";
    try {
      await this.#git(dirname(repository.common), ["worktree", "remove", ours]);
      return "removed";
    } catch {
      return "kept"; // something in it is not committed: git says so, and so does the caller
    }
  }

  #git(cwd: string, args: readonly string[]): Promise<string> {
    const { path, home } = this.#options;
    // The person's own settings hold (filters that make files what they are), but nobody's hooks.
    return runGit(args, { cwd, path, env: { HOME: home, GIT_CONFIG_GLOBAL: join(home, ".gitconfig") } });
  }
}

/** Sessions are known by the real path of their directory. */
function realRoot(root: string): string {
  try {
    return realpathSync(root);
  } catch {
    return root; // no worktree was made yet
  }
}

const branchFor = (session: string): string => `patchbay/${session.slice(0, 8)}`;
