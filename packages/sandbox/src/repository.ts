// The repository that a directory belongs to, as far as a sandbox has to show it: the rest of the working tree when the
// directory is a part of it, and the git directory of a worktree, which lies elsewhere. Only files are read.
//
// An agent can write the `.git` file of its worktree. It is believed only if the git directory that it names says, in its
// turn, that this is its worktree: that file lies where a confined agent cannot write.
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isWithin } from "./fence.ts";

export interface RepositoryPaths {
  /** The root of the working tree. */
  readonly root: string;
  /** The git directory with config and objects. */
  readonly git: string;
}

/** A directory this deep is in no repository. */
const maxDepth = 64;

/** Undefined: none, or one whose root is the home or holds it. Then its files are not the project's alone. */
export function repositoryOf(cwd: string, home: string): RepositoryPaths | undefined {
  let root = cwd;
  for (let depth = 0; depth < maxDepth && dirname(root) !== root; depth++, root = dirname(root)) {
    if (root !== cwd && isWithin(home, root)) return undefined;
    const git = gitDirectoryOf(root);
    if (git !== undefined) return { root, git };
  }
  return undefined;
}

function gitDirectoryOf(root: string): string | undefined {
  const path = join(root, ".git");
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory() === true) return path;
    return stats?.isFile() === true ? worktreesGit(root, path) : undefined;
  } catch {
    return undefined; // not readable for us: as good as none
  }
}

function worktreesGit(root: string, file: string): string | undefined {
  const named = /^gitdir: (.+)$/m.exec(readShort(file))?.[1];
  if (named === undefined) return undefined;
  const own = realpathSync(resolve(root, named));
  const back = readShort(join(own, "gitdir")).trim();
  const worktrees = dirname(own);
  const common = dirname(worktrees);
  const isOurs = basename(worktrees) === "worktrees" && resolve(own, back) === file && !isWithin(own, root);
  const shared = resolve(own, readShort(join(own, "commondir")).trim());
  return isOurs && shared === common ? common : undefined;
}

/** These files hold one path. */
const maxBytes = 8 * 1024;

/** Never waits for a pipe, never follows a link, never reads without end. */
function readShort(path: string): string {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const descriptor = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    if (!fstatSync(descriptor).isFile()) return "";
    const bytes = Buffer.alloc(maxBytes);
    return bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, maxBytes, 0));
  } finally {
    closeSync(descriptor);
  }
}
