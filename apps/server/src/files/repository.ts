// Where a directory's repository is, read from git's own files: nothing in it is run to find out.
import { readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

export interface Repository {
  /** The root of its working tree. */
  root: string;
  /** Its git directory; a worktree has one of its own. */
  git: string;
  /** The git directory that all worktrees share. */
  common: string;
  /** From the root to the directory that was asked about; empty if it is the root. */
  prefix: string;
}

/** A directory this deep is not in anybody's repository. */
const maxDepth = 64;

export function findRepository(directory: string): Repository | undefined {
  const asked = resolve(directory);
  for (let root = asked, depth = 0; depth < maxDepth; depth++, root = dirname(root)) {
    const git = gitDirectory(root);
    if (git !== undefined) {
      const shared = readText(join(git, "commondir"))?.trim();
      const common = shared === undefined ? git : resolve(git, shared);
      return { root, git, common, prefix: relative(root, asked) };
    }
    if (dirname(root) === root) return undefined;
  }
  return undefined;
}

/** A worktree or submodule has a file that says where its git directory is. */
function gitDirectory(root: string): string | undefined {
  const path = join(root, ".git");
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return path;
  const elsewhere = stats?.isFile() ? /^gitdir: (.+)$/m.exec(readText(path) ?? "")?.[1] : undefined;
  return elsewhere === undefined ? undefined : resolve(root, elsewhere);
}

/** The branch that is checked out, or the commit's short name. */
export function branchOf({ git }: Repository): string {
  const head = readText(join(git, "HEAD"))?.trim() ?? "";
  return head.startsWith("ref: ") ? head.replace(/^ref: (refs\/heads\/)?/, "") : head.slice(0, 12);
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // not readable for us: as good as none
  }
}
