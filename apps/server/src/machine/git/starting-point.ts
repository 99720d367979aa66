// The state of a session's directory when the session began, and what has changed since. Kept as a git repository of the
// server's own beside the log, which borrows the objects of the directory's repository. Git neither opens nor writes the
// directory's repository, so that nothing in it (filters, hooks, an agent's config) is run.
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PatchbayError } from "@patchbay/protocol";
import * as z from "zod/mini";
import { generatedNames, tooLarge } from "../files/directory-size.ts";
import {
  type ChangedFile,
  type RawChange,
  readChanges,
  relativeToPrefix,
  withUnread,
} from "./changed-files.ts";
import { DirectoryIndex, type DirectoryState, type Unread } from "./directory-index.ts";
import { OwnRepository } from "./own-repository.ts";
import { pathspec, type RawPath, rawPath, shownPath, staysBelow } from "./raw-path.ts";
import { copyIndex, findRepository, type Repository, readExclude } from "./repository.ts";
import { formatOf } from "./repository-format.ts";
import { type Git, GitError } from "./run-git.ts";

const Start = z.object({
  tree: z.string(),
  time: z.string(),
  /** The root of the working tree, and the session's directory in it. */
  root: z.string(),
  prefix: z.string(),
  /** Absent in starts of earlier versions. */
  format: z._default(z.enum(["sha1", "sha256"]), "sha1"),
  /** Raw paths of files whose content was not kept, with their size and time. */
  unread: z._default(z.array(z.tuple([z.string(), z.string()])), []),
});
type Start = z.infer<typeof Start>;

export interface Changes {
  since: string;
  files: ChangedFile[];
  /** There are more than are listed. */
  more: boolean;
}

/** The diff of one file; longer ones are for an editor. */
const maxDiffBytes = 1024 * 1024;
/** More than a person reads in a list. */
const maxListed = 5_000;
/** Some 50,000 changed files. */
const maxChangeBytes = 16 * 1024 * 1024;

const comparison = [
  "diff-index",
  "--cached",
  "-M",
  "--no-ext-diff",
  "--no-textconv",
  "--ignore-submodules=dirty",
];

interface Opened {
  start: Start;
  unread: Unread;
  repository: OwnRepository;
  index: DirectoryIndex;
  /** The result of the last comparison. */
  compared?: Compared;
}
interface Compared {
  state: DirectoryState;
  files: readonly RawChange[];
}

export class StartingPoint {
  readonly #directory: string;
  readonly #git: Git;
  #opened: Opened | undefined;
  /** Operations run one after the other, because they share an index. */
  #last: Promise<unknown> = Promise.resolve();
  /** A comparison that has not begun: concurrent callers share it, so that slow ones do not pile up. */
  #waiting: Promise<Changes> | undefined;

  /** `directory` belongs to the server. */
  constructor(directory: string, git: Git) {
    this.#directory = directory;
    this.#git = git;
  }

  /** Saves the current state of `cwd`, unless a state is saved already. */
  async take(cwd: string): Promise<void> {
    await this.#next(() => this.#open(cwd));
  }

  /** The files that differ from the starting point now. */
  changes(cwd: string): Promise<Changes> {
    this.#waiting ??= this.#next(async () => {
      this.#waiting = undefined;
      const opened = await this.#open(cwd);
      const { files } = await this.#compare(opened);
      const prefix = rawPath(opened.start.prefix);
      return {
        since: opened.start.time,
        files: files.slice(0, maxListed).map((file) => relativeToPrefix(file, prefix)),
        more: files.length > maxListed,
      };
    });
    return this.#waiting;
  }

  /** Git's diff of paths in `cwd`; null when it is too long for the page, or the files are not read. */
  diff(cwd: string, paths: readonly string[]): Promise<string | null> {
    const outside = paths.find((path) => !staysBelow(rawPath(path)));
    if (outside !== undefined)
      throw new PatchbayError("forbidden", `${outside} is outside the session's directory.`);
    return this.#next(async () => {
      const opened = await this.#open(cwd);
      const { start, unread, repository } = opened;
      const { files, state } = await this.#compare(opened);
      const wanted = paths.map((path) => known(files, join(start.prefix, path)));
      if (wanted.some((path) => unread.has(path) || state.unread.has(path))) return null;
      const args = [...comparison, "-p", "--no-color", "--submodule=short", start.tree, "--"];
      try {
        const call = { workTree: repository.emptyWorkTree, maxBytes: maxDiffBytes };
        return (await this.#git.run(repository, [...args, ...wanted.map(pathspec)], call)).toString("utf8");
      } catch (error) {
        if (error instanceof GitError && error.outputTooLarge) return null;
        throw error;
      }
    });
  }

  /** Resolves when no operation is running. */
  async settled(): Promise<void> {
    await this.#last;
  }

  forget(): Promise<void> {
    return this.#next(() => rm(this.#directory, { recursive: true, force: true }));
  }

  async #compare(opened: Opened): Promise<Compared> {
    const { start, unread, repository, index, compared } = opened;
    const state = await index.now(unread);
    if (compared !== undefined && isSame(compared.state, state)) return compared;
    const scope = start.prefix === "" ? [] : [pathspec(rawPath(start.prefix))];
    const args = [...comparison, "-z", "--raw", "--numstat", start.tree, "--", ...scope];
    const call = { workTree: repository.emptyWorkTree, maxBytes: maxChangeBytes };
    const inTrees = await readChanges(await this.#git.run(repository, args, call));
    const files = withUnread(inTrees, unread, state.unread);
    opened.compared = { state, files };
    return opened.compared;
  }

  async #open(cwd: string): Promise<Opened> {
    this.#opened ??= (await this.#reopen()) ?? (await this.#begin(cwd));
    return this.#opened;
  }

  async #begin(cwd: string): Promise<Opened> {
    const found = findRepository(cwd);
    if (found === undefined && (await tooLarge(cwd)))
      throw new PatchbayError(
        "bad_directory",
        "Changes cannot be shown: this directory is not a git repository and is too large to compare (limit: 5,000 files, 64 MiB).",
      );
    const place = { root: found?.root ?? cwd, prefix: found?.prefix ?? "" };
    const format = found === undefined ? "sha1" : formatOf(found.common).objects;
    const borrowed = found === undefined ? { format } : { format, objects: join(found.common, "objects") };
    const repository = await OwnRepository.prepare(this.#directory, borrowed);
    await rm(repository.index, { force: true }); // left by an interrupted start
    const index = new DirectoryIndex(this.#git, repository, place);
    const { tree, unread } = await this.#firstState(repository, index, found);
    const start: Start = {
      ...{ tree, time: new Date().toISOString(), ...place, format },
      unread: [...unread],
    };
    await writeFile(join(this.#directory, "start.json"), JSON.stringify(start), { mode: 0o600 });
    return { start, unread, repository, index };
  }

  async #firstState(
    repository: OwnRepository,
    index: DirectoryIndex,
    found: Repository | undefined,
  ): Promise<{ tree: string; unread: Unread }> {
    const first = async () => {
      const { unread } = await index.now(new Map());
      return { tree: await index.write(), unread };
    };
    if (found === undefined) {
      await repository.exclude(generatedNames.join("\n"));
      return first();
    }
    await repository.exclude(readExclude(found.common));
    // The copied index saves hashing unchanged files: without it, every file is read.
    const copied = await copyIndex(found.git, repository.index);
    if (!copied) await rm(repository.index, { force: true });
    try {
      return await first();
    } catch (error) {
      if (!copied || !(error instanceof GitError) || error.timedOut) throw error;
      await rm(repository.index, { force: true }); // this git cannot use the index
      return first();
    }
  }

  async #reopen(): Promise<Opened | undefined> {
    const start = await this.#read();
    if (start === undefined) return undefined;
    const repository = await OwnRepository.prepare(this.#directory, { format: start.format });
    const index = new DirectoryIndex(this.#git, repository, start);
    return { start, unread: new Map(start.unread), repository, index };
  }

  async #read(): Promise<Start | undefined> {
    try {
      return Start.parse(JSON.parse(await readFile(join(this.#directory, "start.json"), "utf8")));
    } catch {
      return undefined; // none yet, or half written in a crash
    }
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {}); // its caller gets the error; the next operation runs anyway
    return result;
  }
}

function isSame(a: DirectoryState, b: DirectoryState): boolean {
  if (a.version !== b.version || a.unread.size !== b.unread.size) return false;
  return [...a.unread].every(([path, mark]) => b.unread.get(path) === mark);
}

/** The raw path for a shown path: if it is not UTF-8, it is found by comparing with the shown paths of the changed files. */
const known = (files: readonly RawChange[], path: string): RawPath => {
  const raw = rawPath(path);
  if (!path.includes("\u{FFFD}")) return raw;
  const all = files.flatMap((file) => (file.from === undefined ? [file.path] : [file.path, file.from]));
  return all.find((candidate) => shownPath(candidate) === path) ?? raw;
};
