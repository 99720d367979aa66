// Completion of paths in a session's directory. Git lists the files, so that its ignore rules apply exactly, with a
// repository of the server's own and a copy of the directory's index. Where there is no repository, or git fails, the
// directory is walked.
import { lstat, mkdtemp, opendir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { generatedNames } from "../files/directory-size.ts";
import { isRealPath } from "../files/held-directory.ts";
import { pacer } from "../files/pace.ts";
import { rankPaths } from "../files/rank-paths.ts";
import { type ObjectFormat, OwnRepository } from "./own-repository.ts";
import { pathspec, rawPath, readFields, shownPath, staysBelow } from "./raw-path.ts";
import { copyIndex, findRepository, type Repository, readExclude } from "./repository.ts";
import { formatOf } from "./repository-format.ts";
import { type Git, GitError } from "./run-git.ts";

export interface FoundPath {
  /** Relative to the session's directory; a directory ends with a slash. */
  path: string;
  /** Present for files. */
  bytes?: number;
}

/** Limits of git's output and time: enough for a repository of some 200,000 files. */
const maxGitBytes = 16 * 1024 * 1024;
const timeoutMs = 5_000;
/** Outside a repository there are no ignore rules, so fewer files are listed. */
const maxWalked = 20_000;
/** The list is cached, so that it is not made again for each typed letter. */
const freshMs = 3_000;
const keptLists = 8;
/** Longer and deeper paths are useless to a person, and a forged index may be full of them. */
const maxPathLength = 1_024;
const maxDepth = 64;
const maxDirectories = 50_000;
/** Ranked without yielding: some milliseconds. */
const rankedAtOnce = 250;

export class PathFinder {
  readonly #git: Git;
  readonly #directory: string;
  readonly #lists = new Map<string, { at: number; paths: Promise<readonly string[]> }>();
  readonly #repositories = new Map<ObjectFormat, Promise<OwnRepository>>();

  /** `directory` belongs to the server. */
  constructor(git: Git, directory: string) {
    this.#git = git;
    this.#directory = directory;
  }

  async find(directory: string, query: string, limit: number): Promise<FoundPath[]> {
    const found: FoundPath[] = [];
    // Leaves out links, which may lead outside, and files that are in the index but no longer in the directory.
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

  /** Undefined: git failed. */
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
        if (!(error instanceof GitError) || error.timedOut) throw error;
        return list(join(work, "none")); // this git cannot use the index: list without one
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
    const call = { workTree: root, index, maxBytes: maxGitBytes, limitMs: timeoutMs };
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
    // First removes what a killed server left.
    const made = rm(directory, { recursive: true, force: true }).then(() =>
      OwnRepository.prepare(directory, { format }),
    );
    made.catch(() => this.#repositories.delete(format)); // the caller gets the error; the next call tries again
    this.#repositories.set(format, made);
    return made;
  }
}

/** Like `rankPaths`, for any number of paths, yielding to the event loop. */
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
    // From the innermost outwards, up to a known one: then those above it are known, too.
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
  const until = Date.now() + timeoutMs;
  for (let prefix = waiting.shift(); prefix !== undefined; prefix = waiting.shift()) {
    try {
      for await (const entry of await opendir(join(root, prefix), { bufferSize: 256 })) {
        if (entry.isFile()) files.push(prefix + entry.name);
        else if (
          entry.isDirectory() &&
          ![".git", ...generatedNames].includes(entry.name) &&
          waiting.length < maxWalked
        )
          waiting.push(`${prefix}${entry.name}/`);
        if (files.length >= maxWalked || Date.now() > until) return files;
      }
    } catch {
      // Not readable, or removed meanwhile: list the rest.
    }
  }
  return files;
}
