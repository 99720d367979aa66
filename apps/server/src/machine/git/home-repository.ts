// The repository that a directory really belongs to, before a worktree of it is made. A `.git` file or link could name any
// repository of the machine, also one that the agent may not read: only one that names the directory back is accepted.
import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { readBoundedText } from "../files/read-bounded.ts";
import { commonOf, findRepository, gitFileTarget, type Repository } from "./repository.ts";
import { formatOf } from "./repository-format.ts";

const maxPathBytes = 8 * 1024;

/** The repository, its paths without links; rejects with a sentence for a person. */
export async function homeRepository(directory: string): Promise<Repository> {
  const found = findRepository(directory);
  if (found === undefined) throw new Error(`${directory} is not in a git repository`);
  const dotGit = join(found.root, ".git");
  const stats = await lstat(dotGit);
  const git = stats.isDirectory() ? dotGit : stats.isFile() ? await targetOf(dotGit) : undefined;
  if (git === undefined)
    throw new Error(`${dotGit} is a link; create the worktree from the repository itself`);
  const common = await realpath(commonOf(git));
  if (stats.isDirectory() ? common !== git : !namesBack(git, common, found.root))
    throw new Error(`${dotGit} names ${common}, which does not name it back`);
  return { ...found, git, common };
}

/**
 * For a directory in a worktree, also one that a person made: the corresponding directory of the repository that it is a worktree of.
 * Undefined where there is none, because the repository has no files of its own (bare) or does not name the worktree back.
 */
export async function mainDirectoryOf(directory: string): Promise<string | undefined> {
  const found = findRepository(directory);
  if (found === undefined || found.git === found.common) return undefined; // no worktree, and nothing more to read
  const home = await homeRepository(directory).catch(() => undefined);
  if (home === undefined || home.git === home.common || basename(home.common) !== ".git") return undefined;
  return join(dirname(home.common), home.prefix);
}

async function targetOf(dotGit: string): Promise<string> {
  const target = gitFileTarget(dotGit);
  const real = target === undefined ? undefined : await realpath(target).catch(() => undefined);
  if (real === undefined) throw new Error(`${dotGit} names no git directory`);
  return real;
}

/** The admin directory of a worktree names it, the config of a submodule names it. */
function namesBack(git: string, common: string, root: string): boolean {
  if (git !== common) {
    const named = readBoundedText(join(git, "gitdir"), maxPathBytes)?.trim() ?? "";
    const isAdmin = dirname(dirname(git)) === common && basename(dirname(git)) === "worktrees";
    return isAdmin && resolve(git, named) === join(root, ".git");
  }
  const { workTree } = formatOf(git);
  return workTree !== undefined && resolve(git, workTree) === root;
}
