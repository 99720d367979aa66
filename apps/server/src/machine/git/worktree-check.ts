// Whether a worktree can be removed without losing work. Its files are not trusted: the record names its repository, its
// admin directory and its `.git` file must agree with the record, and git compares its files through a repository of the
// server's own. Anything unexpected is a reason to keep it.
import { readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { adminOf, type Worktree } from "../../store/worktree.ts";
import { HeldDirectory } from "../files/held-directory.ts";
import { OwnRepository } from "./own-repository.ts";
import { bytesOf, type RawPath, readFields, staysBelow } from "./raw-path.ts";
import { commitOf, headOf } from "./refs.ts";
import { copyIndex, readExclude } from "./repository.ts";
import { formatOf } from "./repository-format.ts";
import { type Git, GitError } from "./run-git.ts";

const maxPathBytes = 8 * 1024;
const maxListBytes = 64 * 1024 * 1024;

/** The end of a sentence for a person; undefined: no work would be lost. `work` is a directory that the server may make. */
export async function reasonToKeep(worktree: Worktree, git: Git, work: string): Promise<string | undefined> {
  try {
    const problem = await disagreement(worktree);
    if (problem !== undefined) return problem;
    const head = await headOf({ git: adminOf(worktree), common: worktree.repository });
    if (head === undefined) return "its HEAD cannot be read";
    if (head.branch === undefined && head.commit !== (await branchCommit(worktree)))
      return "its commit is on no branch of its own";
    return await unfinished(worktree, head.commit, git, work);
  } catch (error) {
    return `it could not be checked (${error instanceof Error ? error.message : String(error)})`;
  }
}

/** Whether the worktree, its admin directory and the record agree. */
async function disagreement(worktree: Worktree): Promise<string | undefined> {
  const { path, repository } = worktree;
  await using directory = await HeldDirectory.open(path);
  await using admin = await HeldDirectory.open(adminOf(worktree));
  const named = /^gitdir: ([^\n\r]+)[\r\n]*$/.exec(
    (await directory.readText(".git", maxPathBytes)) ?? "",
  )?.[1];
  if (named === undefined || resolve(path, named) !== adminOf(worktree))
    return "its .git file is not the one that it was given";
  const back = (await admin.readText("gitdir", maxPathBytes))?.trim() ?? "";
  const common = (await admin.readText("commondir", maxPathBytes))?.trim() ?? "";
  if (
    resolve(adminOf(worktree), back) !== join(path, ".git") ||
    resolve(adminOf(worktree), common) !== repository
  )
    return "the repository knows another worktree by its name";
  return (await admin.has("locked")) ? "it is locked" : undefined;
}

const branchCommit = ({ repository, branch }: Worktree): Promise<string | undefined> =>
  commitOf(repository, `refs/heads/${branch}`);

/** A path that differs between index and commit or directory and index, or that is a nested repository. */
async function unfinished(
  worktree: Worktree,
  commit: string,
  git: Git,
  work: string,
): Promise<string | undefined> {
  const { path, repository } = worktree;
  const borrowed = { objects: join(repository, "objects"), format: formatOf(repository).objects };
  await rm(work, { recursive: true, force: true }); // left by a killed server
  const own = await OwnRepository.prepare(work, borrowed);
  try {
    await own.exclude(readExclude(repository));
    if (!(await copyIndex(adminOf(worktree), own.index))) return "its index cannot be read";
    const list = async (args: readonly string[], workTree: string): Promise<RawPath[]> =>
      readFields(await git.run(own, args, { workTree, maxBytes: maxListBytes }));
    const compare = [
      "diff-index",
      "--cached",
      "--name-only",
      "--ignore-submodules=dirty",
      "-z",
      commit,
      "--",
    ];
    const look = ["ls-files", "-z", "-m", "-d", "-o", "--exclude-standard"];
    if ((await list(compare, own.emptyWorkTree)).length > 0) return uncommitted;
    if ((await list(look, path)).length > 0) return uncommitted;
    for (const entry of await list(["ls-files", "-z", "-s"], path)) {
      const module = /^160000 \w+ \d\t(.+)$/s.exec(entry)?.[1];
      if (module !== undefined && (await isFilled(path, module)))
        return "it has a submodule with files in it";
    }
    return undefined;
  } catch (error) {
    if (error instanceof GitError && error.outputTooLarge) return uncommitted;
    throw error;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

const uncommitted = "it has uncommitted changes";

async function isFilled(root: string, module: RawPath): Promise<boolean> {
  if (!staysBelow(module)) return true;
  const place = Buffer.concat([Buffer.from(`${root}/`), bytesOf(module)]);
  return (await readdir(place).catch(() => [])).length > 0;
}
