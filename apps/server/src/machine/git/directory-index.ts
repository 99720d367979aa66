// A session's directory as it is now, in the index of a repository of our own. Git only lists what differs from our index
// (`ls-files` starts nothing, also not in a nested repository); what differs is copied, hashed and put into the index.
import { lstatSync, readlinkSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { isRealPath } from "../files/held-directory.ts";
import { pacer } from "../files/pace.ts";
import type { OwnRepository } from "./own-repository.ts";
import {
  bytesOf,
  parentOf,
  pathspec,
  type RawPath,
  rawPath,
  readFields,
  shownPath,
  staysBelow,
} from "./raw-path.ts";
import { headOf } from "./refs.ts";
import { commonOf, gitDirectoryOf } from "./repository.ts";
import { type Git, GitError } from "./run-git.ts";
import { type FileToWrite, writeObjects } from "./write-objects.ts";

export interface Place {
  /** The root of the working tree. */
  root: string;
  /** From there to the session's directory. */
  prefix: string;
}

/** Files whose content is not kept, by what tells that they have changed: their size and time. */
export type Unread = ReadonlyMap<RawPath, string>;

export interface DirectoryState {
  /** Of the index: another number, other content. */
  version: number;
  unread: Unread;
}

/** What one look may copy. A file beyond that is compared by size and time: its difference would fill no page anyway. */
const maxFileBytes = 32 * 1024 * 1024;
const maxTotalBytes = 512 * 1024 * 1024;
const maxFiles = 50_000;
/** Of files that are not read only this much is remembered. */
const maxUnread = 100_000;
const maxListBytes = 32 * 1024 * 1024;

/** Names that are special on other systems are ordinary ones here: nothing is ever checked out from these trees. */
const anyName = ["-c", "core.protectNTFS=false", "-c", "core.protectHFS=false"];

/** So many files may have an unknown size and time in our index: each look reads them again. */
const maxUnrefreshed = 200;
/** A list that takes longer was made by reading files: size and time in the index are not those of these files. */
const slowListMs = 400;

type Found =
  | { kind: "gone" }
  | { kind: "unread"; mark: string }
  | { kind: "file"; bytes: number; mark: string; mode: string }
  | { kind: "link"; target: Buffer }
  | { kind: "nested"; commit: string };

export class DirectoryIndex {
  readonly #git: Git;
  readonly #repository: OwnRepository;
  readonly #place: Place;
  #version = 0;
  #unrefreshed = 0;
  #wasSlow = false;

  constructor(git: Git, repository: OwnRepository, place: Place) {
    this.#git = git;
    this.#repository = repository;
    this.#place = place;
  }

  /** Brings the index up to date. `unreadBefore`: those stay unread as long as size and time are the same. */
  async now(unreadBefore: Unread): Promise<DirectoryState> {
    await rm(`${this.#repository.index}.lock`, { force: true }); // of a git that was killed: no other one runs here
    const listed = await this.#list();
    const found = await this.#find([...listed.keys()], unreadBefore);
    const ids = await this.#store(found);
    const lines: { removed: string[]; put: string[] } = { removed: [], put: [] };
    const unread = new Map<RawPath, string>();
    for (const [path, entry] of found) {
      const line = this.#indexLine(path, entry, ids);
      if (line !== undefined) lines.put.push(line);
      else if (listed.get(path)?.tracked === true) lines.removed.push(`0 ${this.#nothing}\t${path}\0`);
      if (line !== undefined || !("mark" in entry)) continue;
      // Not ours to read, or grown meanwhile; or behind a link, and so not in this directory.
      if (entry.kind === "unread" || this.#isReal(parentOf(path))) unread.set(path, entry.mark);
    }
    if (unread.size > maxUnread) throw new GitError("there are too many files to be compared");
    await this.#update([...lines.removed, ...lines.put]); // removals first: what was a file may be a directory now
    this.#unrefreshed += ids.size;
    if (this.#unrefreshed > maxUnrefreshed) await this.#refresh();
    return { version: this.#version, unread };
  }

  /** What the index holds as a tree, which stays. */
  async write(): Promise<string> {
    return (await this.#git.run(this.#repository, ["write-tree", "--missing-ok"])).toString("latin1").trim();
  }

  /** What differs from the index, and whether the index knows it. */
  async #list(): Promise<Map<RawPath, { tracked: boolean }>> {
    const { root, prefix } = this.#place;
    const scope = prefix === "" ? ":/" : pathspec(rawPath(prefix));
    const args = ["ls-files", "-z", "-t", "-m", "-d", "-o", "--exclude-standard", "--", scope];
    const started = performance.now();
    const output = await this.#git.run(this.#repository, args, { workTree: root, maxBytes: maxListBytes });
    if (performance.now() - started > slowListMs && !this.#wasSlow) {
      this.#wasSlow = true;
      this.#unrefreshed = maxUnrefreshed + 1;
    }
    const listed = new Map<RawPath, { tracked: boolean }>();
    const pause = pacer();
    for (const field of await readFields(output)) {
      const path = field.slice(2).replace(/\/$/, ""); // a nested repository ends with a slash
      if (staysBelow(path)) listed.set(path, { tracked: !field.startsWith("?") });
      await pause();
    }
    return listed;
  }

  async #find(paths: readonly RawPath[], unreadBefore: Unread): Promise<Map<RawPath, Found>> {
    const found = new Map<RawPath, Found>();
    const budget = { files: maxFiles, bytes: maxTotalBytes };
    const pause = pacer();
    for (const path of paths) {
      const entry = await this.#look(path);
      if (entry.kind !== "file") found.set(path, entry);
      else {
        const fits = entry.bytes <= maxFileBytes && entry.bytes <= budget.bytes && budget.files > 0;
        const isRead = fits && unreadBefore.get(path) !== entry.mark;
        found.set(path, isRead ? entry : { kind: "unread", mark: entry.mark });
        if (isRead) budget.files--;
        if (isRead) budget.bytes -= entry.bytes;
      }
      await pause();
    }
    return found;
  }

  async #look(path: RawPath): Promise<Found> {
    try {
      const stats = lstatSync(this.#whole(path), { throwIfNoEntry: false });
      if (stats?.isDirectory()) return await this.#nested(path);
      if (stats?.isSymbolicLink() && this.#isReal(parentOf(path)))
        return { kind: "link", target: readlinkSync(this.#whole(path), { encoding: "buffer" }) };
      if (stats?.isFile() !== true) return gone;
      const mode = (stats.mode & 0o100) === 0 ? "100644" : "100755";
      return { kind: "file", bytes: stats.size, mark: `${stats.size} ${stats.mtimeMs}`, mode };
    } catch {
      return gone; // it has changed meanwhile, or is not ours to see
    }
  }

  /** A repository in the directory is one entry: the commit that it has checked out, if it has one. */
  async #nested(path: RawPath): Promise<Found> {
    const git = gitDirectoryOf(join(this.#place.root, shownPath(path)));
    if (git === undefined) return gone;
    const head = await headOf({ git, common: commonOf(git) }).catch(() => undefined);
    if (head?.commit.length === this.#nothing.length) return { kind: "nested", commit: head.commit };
    return { kind: "unread", mark: "a repository without a commit" };
  }

  #store(found: ReadonlyMap<RawPath, Found>): Promise<Map<RawPath, string>> {
    const files: FileToWrite[] = [];
    const links = new Map<RawPath, Buffer>();
    for (const [path, entry] of found) {
      if (entry.kind === "file") files.push({ path, bytes: entry.bytes });
      if (entry.kind === "link") links.set(path, entry.target);
    }
    if (files.length + links.size === 0) return Promise.resolve(new Map());
    return writeObjects(this.#git, this.#repository, { root: this.#place.root, files, links, maxFileBytes });
  }

  /** Undefined: it is not in the tree. */
  #indexLine(path: RawPath, entry: Found, ids: ReadonlyMap<RawPath, string>): string | undefined {
    if (entry.kind === "nested") return `160000 ${entry.commit}\t${path}\0`;
    const id = ids.get(path);
    if (id === undefined) return undefined;
    return `${entry.kind === "file" ? entry.mode : "120000"} ${id}\t${path}\0`;
  }

  async #update(lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    this.#version++;
    const input = Buffer.from(lines.join(""), "latin1");
    await this.#git.run(this.#repository, [...anyName, "update-index", "-z", "--index-info"], { input });
  }

  /** Notes size and time of the files that are as the index says, so that they need not be read again. */
  async #refresh(): Promise<void> {
    // 1: some files are not as the index says.
    const call = { workTree: this.#place.root, codes: [0, 1] };
    await this.#git.run(this.#repository, ["update-index", "-q", "--refresh"], call);
    this.#unrefreshed = 0;
  }

  #isReal(directory: RawPath): boolean {
    return isRealPath(directory === "" ? Buffer.from(this.#place.root) : this.#whole(directory));
  }

  #whole(path: RawPath): Buffer {
    const { root } = this.#place;
    return Buffer.concat([Buffer.from(root.endsWith("/") ? root : `${root}/`), bytesOf(path)]);
  }

  get #nothing(): string {
    return "0".repeat(this.#repository.format === "sha256" ? 64 : 40);
  }
}

const gone: Found = { kind: "gone" };
