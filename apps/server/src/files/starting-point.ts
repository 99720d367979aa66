// How a session's directory was when the session began, and what has changed since. Kept as a git repository of our
// own beside the log: the directory's own repository is neither written to nor asked, only its objects are borrowed,
// so that nothing in the directory (filters, hooks, an agent's config) can make us run it.
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PatchbayError } from "@patchbay/protocol";
import * as z from "zod/mini";
import { passedOver, tooLarge } from "./directory-size.ts";
import { findRepository } from "./repository.ts";
import { GitError, runGit } from "./run-git.ts";

export interface ChangedFile {
  path: string;
  /** Before it was renamed. */
  from?: string;
  change: "added" | "modified" | "deleted" | "renamed";
  /** Lines; null: not a text. */
  added: number | null;
  removed: number | null;
}

const Start = z.object({
  tree: z.string(),
  time: z.string(),
  /** The root of the working tree, and the session's directory in it. */
  root: z.string(),
  prefix: z.string(),
});
type Start = z.infer<typeof Start>;

/** One file's difference; longer ones are for an editor. */
const maxDiffBytes = 1024 * 1024;

export class StartingPoint {
  readonly #directory: string;
  readonly #path: string;
  /** One after the other: they share an index. */
  #last: Promise<unknown> = Promise.resolve();

  /** `directory` is ours, `path` says where git is found. */
  constructor(directory: string, path: string) {
    this.#directory = directory;
    this.#path = path;
  }

  /** Remembers how `cwd` is now, unless something is remembered already. */
  take(cwd: string): Promise<Start> {
    return this.#next(async () => (await this.#read()) ?? (await this.#take(cwd)));
  }

  /** What is different now. */
  async changes(cwd: string): Promise<{ since: string; files: ChangedFile[] }> {
    const start = await this.take(cwd);
    return this.#next(async () => {
      const now = await this.#treeNow(start);
      const compare = (how: string) =>
        this.#git(start, ["diff-tree", "-r", "-M", "-z", how, start.tree, now, "--", ...scope(start)]);
      const files = readChanges(await compare("--raw"), await compare("--numstat"));
      return { since: start.time, files: files.map((file) => fromHere(file, start)) };
    });
  }

  /** Of paths in `cwd`, as git writes it; null when it is too long to be read on a page. */
  async diff(cwd: string, paths: readonly string[]): Promise<string | null> {
    const start = await this.take(cwd);
    return this.#next(async () => {
      const now = await this.#treeNow(start);
      const how = ["-r", "-M", "-p", "--no-color", "--no-ext-diff", "--no-textconv"];
      const where = paths.map((path) => literal(join(start.prefix, path)));
      try {
        return await this.#git(start, ["diff-tree", ...how, start.tree, now, "--", ...where], maxDiffBytes);
      } catch (error) {
        if (error instanceof GitError && error.tooMuch) return null;
        throw error;
      }
    });
  }

  /** Nothing of this is running any more. */
  async settled(): Promise<void> {
    await this.#last;
  }

  forget(): Promise<void> {
    return this.#next(() => rm(this.#directory, { recursive: true, force: true }));
  }

  async #take(cwd: string): Promise<Start> {
    const repository = findRepository(cwd);
    if (repository === undefined && (await tooLarge(cwd)))
      throw new PatchbayError(
        "bad_directory",
        "This directory is no git repository and too large to be remembered as a whole. Changes are shown in repositories, and in directories of up to 5,000 files.",
      );
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const place = { root: repository?.root ?? cwd, prefix: repository?.prefix ?? "" };
    await runGit(["init", "-q", "--bare", "--template=", this.#directory], {
      cwd: this.#directory,
      path: this.#path,
    });
    await mkdir(join(this.#directory, "info"), { recursive: true });
    await writeFile(
      join(this.#directory, "info/exclude"),
      repository === undefined ? passedOver.join("\n") : "",
    );
    if (repository !== undefined) {
      await mkdir(join(this.#directory, "objects/info"), { recursive: true });
      await writeFile(
        join(this.#directory, "objects/info/alternates"),
        `${join(repository.common, "objects")}\n`,
      );
      // Only to save hashing what has not changed: what is missing or odd is found out by the next step.
      await copyFile(join(repository.git, "index"), this.#index).catch(() => {});
      const excluded = await readFile(join(repository.common, "info/exclude"), "utf8").catch(() => "");
      await writeFile(join(this.#directory, "info/exclude"), excluded);
    }
    const tree = await this.#treeNow(place).catch(async (error: unknown) => {
      if (repository === undefined) throw error;
      await rm(this.#index, { force: true }); // an index that this git cannot use
      return this.#treeNow(place);
    });
    const start = { tree, time: new Date().toISOString(), ...place };
    await writeFile(join(this.#directory, "start.json"), JSON.stringify(start), { mode: 0o600 });
    return start;
  }

  async #read(): Promise<Start | undefined> {
    try {
      return Start.parse(JSON.parse(await readFile(join(this.#directory, "start.json"), "utf8")));
    } catch {
      return undefined; // none yet, or one that a crash left half written
    }
  }

  async #treeNow(place: Pick<Start, "root" | "prefix">): Promise<string> {
    await this.#git(place, ["add", "-A", "--", ...scope(place)]);
    return (await this.#git(place, ["write-tree"])).trim();
  }

  get #index(): string {
    return join(this.#directory, "index");
  }

  #git({ root }: Pick<Start, "root">, args: readonly string[], maxBytes?: number): Promise<string> {
    const env = { GIT_DIR: this.#directory, GIT_WORK_TREE: root, GIT_INDEX_FILE: this.#index };
    return runGit(["-c", "core.bare=false", ...args], {
      cwd: root,
      path: this.#path,
      env,
      ...(maxBytes === undefined ? {} : { maxBytes }),
    });
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {}); // its caller is told; the next one starts anew
    return result;
  }
}

/** A path as it is, even with a `*` in it. */
const literal = (path: string): string => `:(literal,top)${path}`;

const scope = ({ prefix }: Pick<Start, "prefix">): string[] => [prefix === "" ? ":/" : literal(prefix)];

/** Git's paths begin at the root of the repository, ours in the session's directory. */
function fromHere(file: ChangedFile, { prefix }: Start): ChangedFile {
  const skip = prefix === "" ? 0 : prefix.length + 1;
  const from = file.from === undefined ? {} : { from: file.from.slice(skip) };
  return { ...file, path: file.path.slice(skip), ...from };
}

const changes: Readonly<Record<string, ChangedFile["change"]>> = {
  A: "added",
  M: "modified",
  D: "deleted",
  R: "renamed",
};

/** `--raw -z`: `:modes ids status NUL path NUL [path NUL]`; `--numstat -z`: `added TAB removed TAB path NUL`, or for a rename an empty path and both behind it. */
function readChanges(raw: string, numbers: string): ChangedFile[] {
  const lines = new Map<string, Pick<ChangedFile, "added" | "removed">>();
  const counted = numbers.split("\0");
  for (let at = 0; at < counted.length - 1; at++) {
    const [added = "", removed = "", path = ""] = (counted[at] ?? "").split("\t");
    const name = path === "" ? (counted[(at += 2)] ?? "") : path;
    lines.set(name, { added: countOf(added), removed: countOf(removed) });
  }
  const files: ChangedFile[] = [];
  const fields = raw.split("\0");
  for (let at = 0; at + 1 < fields.length; ) {
    const status = /([A-Z])\d*$/.exec(fields[at++] ?? "")?.[1] ?? "M";
    const first = fields[at++] ?? "";
    const path = status === "R" ? (fields[at++] ?? "") : first;
    files.push({
      path,
      ...(status === "R" ? { from: first } : {}),
      change: changes[status] ?? "modified",
      added: null,
      removed: null,
      ...lines.get(path),
    });
  }
  return files;
}

const countOf = (text: string): number | null => (text === "-" ? null : Number(text));
