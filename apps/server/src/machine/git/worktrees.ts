// A git worktree for one session: a directory and a branch of its own, so that several agents can work on one repository
// without conflicts. They are in Patchbay's home. Git never opens the person's repository: its refs and the worktree's
// admin files are read and written as files, and the files of the commit are checked out through a repository of the
// server's own. So no hook, filter or setting of the person's repository runs.
import { realpathSync } from "node:fs";
import { mkdir, readdir, readFile, realpath, rm } from "node:fs/promises";
import { join, sep } from "node:path";
import { PatchbayError } from "@patchbay/protocol";
import { errorCode } from "../../diagnostics/error-code.ts";
import { adminOf, type Worktree } from "../../store/worktree.ts";
import { HeldDirectory } from "../files/held-directory.ts";
import { homeRepository, mainDirectoryOf } from "./home-repository.ts";
import { OwnRepository } from "./own-repository.ts";
import { createBranch, dropBranch, headOf } from "./refs.ts";
import { formatOf } from "./repository-format.ts";
import { type Git, GitError } from "./run-git.ts";
import { reasonToKeep } from "./worktree-check.ts";

interface WorktreesOptions {
  git: Git;
  /** The parent directory of all worktrees. */
  root: string;
  /** A directory of the server's own, for temporary repositories. */
  work: string;
}

export type Removal = { kind: "none" | "removed" } | { kind: "kept"; reason: string };

/** Names of half a million files: a tree with more was made to fill the disk. */
const maxNameBytes = 64 * 1024 * 1024;

export class Worktrees {
  readonly #options: WorktreesOptions;

  constructor(options: WorktreesOptions) {
    this.#options = options;
  }

  /** The parent directory with links resolved: records hold the real path of a session's directory. */
  get root(): string {
    try {
      return realpathSync(this.#options.root);
    } catch {
      return this.#options.root; // no worktree was made yet
    }
  }

  /** Makes a worktree of the repository that `cwd` is in. `name` must be new and a plain file name. */
  async make(name: string, cwd: string): Promise<Worktree> {
    try {
      return await this.#make(name, cwd);
    } catch (error) {
      if (error instanceof PatchbayError) throw error;
      const problem = error instanceof Error ? error.message : String(error);
      throw new PatchbayError("bad_directory", `Cannot create a worktree of ${cwd}: ${problem}.`);
    }
  }

  /** Removes a worktree if no work would be lost; its branch stays. */
  async remove(worktree: Worktree): Promise<Removal> {
    const { git, work } = this.#options;
    const root = await realpath(this.#options.root).catch(() => undefined);
    if (root === undefined) return { kind: "none" };
    await using directory = await HeldDirectory.open(root);
    if (!(await directory.has(worktree.name))) return { kind: "none" };
    if (join(root, worktree.name) !== worktree.path)
      return { kind: "kept", reason: `it is no longer at ${worktree.path}` };
    const reason = await reasonToKeep(worktree, git, join(work, worktree.name));
    if (reason !== undefined) return { kind: "kept", reason };
    // Renamed first, so that a worktree under its own name is always complete.
    const removed = `${removedPrefix}${worktree.name}`;
    await directory.rename(worktree.name, removed);
    await using admins = await HeldDirectory.open(join(worktree.repository, "worktrees"));
    await admins.removeTree(worktree.name);
    await using repository = await HeldDirectory.open(worktree.repository);
    await repository.removeEmpty("worktrees");
    await directory.removeTree(removed);
    return { kind: "removed" };
  }

  /** Finishes removals that a killed server left. */
  async finishRemovals(): Promise<void> {
    const root = await realpath(this.#options.root).catch(() => undefined);
    if (root === undefined) return;
    await using directory = await HeldDirectory.open(root);
    for (const name of await readdir(root))
      if (name.startsWith(removedPrefix)) await directory.removeTree(name);
  }

  /** A worktree that an earlier version made without a record; `project` is the directory that it was made for. */
  async findLegacy(name: string, project: string): Promise<Worktree> {
    const { common, prefix } = await homeRepository(project);
    const path = join(await realpath(this.#options.root), name);
    return { path, repository: common, name, branch: branchFor(name), prefix };
  }

  /** For a directory in any worktree, whoever made it: the directory of the repository that it corresponds to. */
  mainDirectory(cwd: string): Promise<string | undefined> {
    return mainDirectoryOf(cwd);
  }

  async #make(name: string, cwd: string): Promise<Worktree> {
    const repository = await homeRepository(cwd);
    const { common, prefix } = repository;
    const { foreign, objects: format } = formatOf(common);
    if (foreign !== undefined) throw new Error(foreign);
    const head = await headOf(repository);
    if (head === undefined) throw new Error("it has no commit, or its HEAD cannot be read");
    await mkdir(this.#options.root, { recursive: true, mode: 0o700 });
    const root = await realpath(this.#options.root);
    const worktree: Worktree = {
      path: join(root, name),
      repository: common,
      name,
      branch: branchFor(name),
      prefix,
    };
    if (/[\n\r]/.test(worktree.path + common)) throw new Error("its path has a line end in it");
    const work = join(this.#options.work, name);
    const own = await OwnRepository.prepare(work, { objects: join(common, "objects"), format });
    try {
      await this.#checkOut(own, worktree, head.commit, root);
      await this.#register(worktree, head.commit, await readFile(own.index));
      return worktree;
    } catch (error) {
      await this.#undo(root, worktree.name);
      throw error;
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  }

  async #checkOut(
    own: OwnRepository,
    { path, name, prefix }: Worktree,
    commit: string,
    root: string,
  ): Promise<void> {
    const { git } = this.#options;
    await git
      .run(own, ["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit], { maxBytes: maxNameBytes })
      .catch((error: unknown) => {
        throw error instanceof GitError && error.outputTooLarge
          ? new Error("its commit has too many files")
          : error;
      });
    await using directory = await HeldDirectory.open(root);
    await (await directory.make(name))[Symbol.asyncDispose]();
    await git.run(own, ["read-tree", "--reset", "-u", commit], { workTree: path, writesFiles: true });
    // The session's directory may contain no committed file, so the checkout may not have made it.
    await using _ = await HeldDirectory.ensurePath(path, prefix.split(sep).filter(Boolean));
  }

  /** Writes the files of gitrepository-layout in the order of `git worktree add`: locked until it is complete. */
  async #register(worktree: Worktree, commit: string, index: Buffer): Promise<void> {
    const { path, repository, name, branch } = worktree;
    const ref = `refs/heads/${branch}`;
    await using common = await HeldDirectory.open(repository);
    await using admins = await common.ensure("worktrees");
    await using admin = await admins.make(name);
    try {
      await admin.create("locked", "being made\n");
      await admin.create("gitdir", `${path}/.git\n`);
      await admin.create("commondir", "../..\n");
      await admin.create("HEAD", `ref: ${ref}\n`);
      await admin.create("index", index);
      await createBranch(repository, ref, commit);
      try {
        await using directory = await HeldDirectory.open(path);
        await directory.create(".git", `gitdir: ${adminOf(worktree)}\n`);
        await admin.unlink("locked");
      } catch (error) {
        await dropBranch(repository, ref, commit);
        throw error;
      }
    } catch (error) {
      await admins.removeTree(name);
      await common.removeEmpty("worktrees");
      throw error;
    }
  }

  async #undo(root: string, name: string): Promise<void> {
    try {
      await using directory = await HeldDirectory.open(root);
      await directory.removeTree(name);
    } catch (error) {
      if (errorCode(error) !== "ENOENT") throw error; // nothing was made yet
    }
  }
}

const removedPrefix = ".removed-";

const branchFor = (name: string): string => `patchbay/${name.slice(0, 8)}`;
