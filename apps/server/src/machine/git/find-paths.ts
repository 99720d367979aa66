// The paths in a session's directory that a few typed letters may mean, for completion. Git lists the files, so that its
// ignore rules hold to the letter, with a repository of our own and a copy of the directory's index; where there is no
// repository, or git does not answer, the directory is walked.
import { lstat, mkdtemp, opendir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { passedOver } from "../files/directory-size.ts";
import { isRealPath } from "../files/held-directory.ts";
import { pacer } from "../files/pace.ts";
import { rankPaths } from "../files/rank-paths.ts";
import { type ObjectFormat, OwnRepository } from "./own-repository.ts";
import { pathspec, rawPath, readFields, shownPath, staysBelow } from "./raw-path.ts";
import { copyIndex, findRepository, type Repository, readExclude } from "./repository.ts";
import { formatOf } from "./repository-format.ts";
import { type Git, GitError } from "./run-git.ts";

export interface FoundPath {
  /** From the session's directory; a directory ends with a slash. */
  path: string;
  /** Of a file. */
  bytes?: number;
}

/** What git may write, and how long it may take: a repository of some 200,000 files. */
const maxGitBytes = 16 * 1024 * 1024;
const patienceMs = 5_000;
/** Outside of a repository nothing says what is worth listing. */
const maxWalked = 20_000;
/** While a person types, the list is not made again for each letter. */
const freshMs = 3_000;
const keptLists = 8;
/** Longer and deeper ones are nothing that a person means, and a forged index may be full of them. */
const maxPathLength = 1_024;
const maxDepth = 64;
const maxDirectories = 50_000;
/** Ranked in one go: some milliseconds. */
const rankedAtOnce = 250;

export class PathFinder {
  readonly #git: Git;
  readonly #directory: string;
  readonly #lists = new Map<string, { at: number; paths: Promise<readonly string[]> }>();
  readonly #repositories = new Map<ObjectFormat, Promise<OwnRepository>>();

  /** `directory` is ours. */
  constructor(git: Git, directory: string) {
    this.#git = git;
    this.#directory = directory;
  }

  async find(directory: string, query: string, limit: number): Promise<FoundPath[]> {
    const found: FoundPath[] = [];
    // Links are left out: they may lead elsewhere. So is what git knows and the directory no longer has.
    for (const path of await best(await this.#list(directory), query, limit * 2)) {
      const stats = await lstat(join(directory, path)).catch(() => null);
      const isWanted = path.endsWith("/") ? stats?.isDirectory() : stats?.isFile();
      if (stats === null || isWanted !== true || !isRealPath(Buffer.from(join(directory, dirname(path)))))
        continue;
      found.push(path.endsWith("/") ? { path } : { path, bytes: stats.size });
      if (found.length >= limit) break;
    }
    return found;
  }

  #list(directory: string): Promise<readonly string[]> {
    const known = this.#lists.get(directory);
    if (known !== undefined && Date.now() - known.at < freshMs) return known.paths;
    const paths = this.#listNow(directory);
    this.#lists.delete(directory);
    this.#lists.set(directory, { at: Date.now(), paths });
    const oldest = this.#lists.size > keptLists ? this.#lists.keys().next().value : undefined;
    if (oldest !== undefined) this.#lists.delete(oldest);
    return paths;
  }

  async #listNow(directory: string): Promise<readonly string[]> {
    const repository = findRepository(directory);
    const listed = repository === undefined ? undefined : await this.#ask(repository);
    return withDirectories(listed ?? (await walkedFiles(directory)));
  }

  /** Undefined: git does not answer. */
  async #ask(found: Repository): Promise<readonly string[] | undefined> {
    const own = await this.#repository(formatOf(found.common).objects);
    const work = await mkdtemp(join(own.directory, "list-"));
    try {
      const exclude = join(work, "exclude");
      await writeFile(exclude, readExclude(found.common));
      const index = join(work, "index");
      const copied = await copyIndex(found.git, index);
      const list = (index: string) => this.#run(own, found, { index, exclude });
      if (!copied) return await list(join(work, "none"));
      return await list(index).catch((error: unknown) => {
        if (!(error instanceof GitError) || error.late) throw error;
        return list(join(work, "none")); // an index that this git cannot use: what is not ignored is listed all the same
      });
    } catch (error) {
      if (error instanceof GitError) return undefined;
      throw error;
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  }

  async #run(
    own: OwnRepository,
    { root, prefix }: Repository,
    { index, exclude }: { index: string; exclude: string },
  ): Promise<readonly string[]> {
    const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
    const where = [`--exclude-from=${exclude}`, "--", prefix === "" ? ":/" : pathspec(rawPath(prefix))];
    const call = { workTree: root, index, maxBytes: maxGitBytes, limitMs: patienceMs };
    const fields = await readFields(await this.#git.run(own, [...args, ...where], call));
    const skip = prefix === "" ? 0 : rawPath(prefix).length + 1;
    const paths: string[] = [];
    const pause = pacer();
    for (const path of fields) {
      const isShort = path.length <= maxPathLength && path.split("/", maxDepth + 1).length <= maxDepth;
      if (isShort && staysBelow(path)) paths.push(shownPath(path.slice(skip)));
      await pause();
    }
    return paths;
  }

  #repository(format: ObjectFormat): Promise<OwnRepository> {
    const known = this.#repositories.get(format);
    if (known !== undefined) return known;
    const directory = join(this.#directory, format);
    // What a server that was killed left there goes first.
    const made = rm(directory, { recursive: true, force: true }).then(() =>
      OwnRepository.prepare(directory, { format }),
    );
    made.catch(() => this.#repositories.delete(format)); // the next one tries again; this one's caller is told
    this.#repositories.set(format, made);
    return made;
  }
}

/** As `rankPaths`, of any number of paths, without keeping others waiting. */
async function best(paths: readonly string[], query: string, limit: number): Promise<readonly string[]> {
  let ranked: string[] = [];
  const pause = pacer();
  for (let at = 0; at < paths.length; at += rankedAtOnce) {
    ranked = rankPaths([...ranked, ...paths.slice(at, at + rankedAtOnce)], query, limit);
    await pause();
  }
  return ranked;
}

/** The files, and every directory that one of them is in. */
async function withDirectories(files: readonly string[]): Promise<readonly string[]> {
  const directories = new Set<string>();
  const pause = pacer();
  for (const file of files) {
    // From the innermost outwards, up to one that is known: then those above it are too.
    for (let end = file.lastIndexOf("/"); end !== -1; end = file.lastIndexOf("/", end - 1)) {
      const directory = file.slice(0, end + 1);
      if (directories.has(directory) || directories.size >= maxDirectories) break;
      directories.add(directory);
      if (end === 0) break;
    }
    await pause();
  }
  return [...files, ...directories];
}

async function walkedFiles(root: string): Promise<readonly string[]> {
  const files: string[] = [];
  const waiting = [""];
  const until = Date.now() + patienceMs;
  for (let prefix = waiting.shift(); prefix !== undefined; prefix = waiting.shift()) {
    try {
      for await (const entry of await opendir(join(root, prefix), { bufferSize: 256 })) {
        if (entry.isFile()) files.push(prefix + entry.name);
        else if (
          entry.isDirectory() &&
          ![".git", ...passedOver].includes(entry.name) &&
          waiting.length < maxWalked
        )
          waiting.push(`${prefix}${entry.name}/`);
        if (files.length >= maxWalked || Date.now() > until) return files;
      }
    } catch {
      // Not ours to read, or gone meanwhile: the rest is still worth having.
    }
  }
  return files;
}
