// The git branch a directory is on, read from git's own files: asking git would start a process for every
// prompt. Empty where there is no repository; the commit's short name where no branch is checked out.
import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** A directory this deep is not in anybody's repository. */
const maxDepth = 64;

export function gitBranch(directory: string): string {
  const git = gitDirectory(directory);
  if (git === undefined) return "";
  const head = readText(join(git, "HEAD"))?.trim() ?? "";
  return head.startsWith("ref: ") ? head.replace(/^ref: (refs\/heads\/)?/, "") : head.slice(0, 12);
}

/** A worktree or submodule has a file that says where its git directory is. */
function gitDirectory(directory: string): string | undefined {
  let here = resolve(directory);
  for (let depth = 0; depth < maxDepth; depth++) {
    const path = join(here, ".git");
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory()) return path;
    const elsewhere = stats?.isFile() ? /^gitdir: (.+)$/m.exec(readText(path) ?? "")?.[1] : undefined;
    if (elsewhere !== undefined) return resolve(here, elsewhere);
    if (dirname(here) === here) return undefined;
    here = dirname(here);
  }
  return undefined;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // not readable for us: as good as none
  }
}
