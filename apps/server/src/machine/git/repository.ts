// Finds a directory's repository and its branch by reading git's own files. No program is run, and reading neither blocks
// nor takes unbounded memory, even if a path is a pipe, a device or a file of gigabytes: this is on the path of every
// prompt.
import { lstatSync, realpathSync, type Stats } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { copyRegular, readBounded, readBoundedText } from "../files/read-bounded.ts";

export interface Repository {
  /** The root of its working tree. */
  root: string;
  /** Its git directory; a worktree has one of its own. */
  git: string;
  /** The git directory that all worktrees share. */
  common: string;
  /** From the root to the given directory; empty if it is the root. */
  prefix: string;
}

/** Bounds the search for the repository's root. */
const maxDepth = 64;
/** `.git`, `commondir` and `HEAD` contain one path or name each. */
const maxPathBytes = 8 * 1024;
const maxBranchLength = 255;
/** An index of a million files has 100 MB. */
const maxIndexBytes = 128 * 1024 * 1024;
const maxExcludeBytes = 1024 * 1024;

export function findRepository(directory: string): Repository | undefined {
  const asked = resolve(directory);
  for (let root = asked, depth = 0; depth < maxDepth; depth++, root = dirname(root)) {
    const git = gitDirectoryOf(root);
    if (git !== undefined && isGitDirectory(git))
      return { root, git, common: commonOf(git), prefix: relative(root, asked) };
    if (dirname(root) === root) return undefined;
  }
  return undefined;
}

/** As git itself decides: an empty `.git`, which sandboxes leave behind, makes no repository of everything below it. */
const isGitDirectory = (git: string): boolean => statsOf(join(git, "HEAD")) !== undefined;

/** The git directory of a working tree: `.git`, what that links to, or what it names if it is a file. */
export function gitDirectoryOf(root: string): string | undefined {
  const path = join(root, ".git");
  const stats = statsOf(path);
  if (stats?.isDirectory()) return path;
  if (stats?.isSymbolicLink()) return linkedDirectory(path);
  return stats?.isFile() ? gitFileTarget(path) : undefined;
}

/** What the `.git` file of a worktree or submodule names. */
export function gitFileTarget(path: string): string | undefined {
  const named = /^gitdir: ([^\0\n\r]+)[\r\n]*$/.exec(readBoundedText(path, maxPathBytes) ?? "")?.[1];
  return named === undefined ? undefined : resolve(dirname(path), named);
}

/** The git directory of a worktree has a file that names the shared one. */
export function commonOf(git: string): string {
  const shared = readBoundedText(join(git, "commondir"), maxPathBytes)?.trim();
  return shared === undefined || shared === "" || shared.includes("\0") ? git : resolve(git, shared);
}

/** The branch that is checked out, or the commit's short id; empty when HEAD names neither. */
function branchOf({ git }: Pick<Repository, "git">): string {
  const head = readBoundedText(join(git, "HEAD"), maxPathBytes)?.trim() ?? "";
  if (/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(head)) return head.slice(0, 12);
  const name = /^ref:\s*(.+)$/.exec(head)?.[1] ?? "";
  if (name.length > maxBranchLength || !isRefName(name)) return "";
  return name.replace(/^refs\/heads\//, "");
}

/** Like `branchOf`, for a directory; null where there is no repository. */
export function gitBranch(directory: string): string | null {
  const repository = findRepository(directory);
  return repository === undefined ? null : branchOf(repository);
}

/**
 * Accepts what git allows as the name of a ref, without characters that control a terminal or change the direction of
 * text: the name is used in the ledger, on the page and in paths.
 */
export function isRefName(name: string): boolean {
  return (
    name.startsWith("refs/") &&
    !/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069 ~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.$|\.lock(\/|$)|\/$/u.test(
      name,
    )
  );
}

/** Copies the index of a git directory to a new path; false: there is no usable index. */
export const copyIndex = (git: string, to: string): Promise<boolean> =>
  copyRegular(join(git, "index"), to, maxIndexBytes);

/** The patterns that a repository ignores beyond its `.gitignore` files. */
export const readExclude = (common: string): Buffer =>
  readBounded(join(common, "info/exclude"), maxExcludeBytes) ?? Buffer.alloc(0);

function linkedDirectory(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return statsOf(real)?.isDirectory() ? real : undefined;
  } catch {
    return undefined; // a broken link
  }
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // not readable: treated as absent
  }
}
