// The current state of a session's directory, in the index of a repository of the server's own. Git only lists what differs
// from that index (`ls-files` starts no program, not even in a nested repository); what differs is copied, hashed and indexed.
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

/** Files whose content is not stored, with their size and time, by which a change is detected. */
export type Unread = ReadonlyMap<RawPath, string>;

export interface DirectoryState {
  /** Changes with the content of the index. */
  version: number;
  unread: Unread;
}

/** What one update may copy. A file beyond that is compared by size and time: its diff would be too long for the page anyway. */
const maxFileBytes = 32 * 1024 * 1024;
const maxTotalBytes = 512 * 1024 * 1024;
const maxFiles = 50_000;
/** Bounds the list of files that are not read. */
const maxUnread = 100_000;
const maxListBytes = 32 * 1024 * 1024;

/** Allows names that are special on other systems: nothing is ever checked out from these trees. */
const anyName = ["-c", "core.protectNTFS=false", "-c", "core.protectHFS=false"];

/** So many files may have an unknown size and time in the index: each update reads them again. */
const maxUnrefreshed = 200;
/** If a list takes longer, git read file contents, because size and time in the index do not match. */
const slowListMs = 400;

type Found =
  | { kind: "absent" }
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

  /** Brings the index up to date. `unreadBefore`: these stay unread while their size and time are unchanged. */
  async now(unreadBefore: Unread): Promise<DirectoryState> {
    await rm(`${this.#repository.index}.lock`, { force: true }); // left by a killed git: no other git runs here
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
      // Not readable, or grown meanwhile; a path behind a link is not in this directory, and is left out.
      if (entry.kind === "unread" || this.#isReal(parentOf(path))) unread.set(path, entry.mark);
    }
    if (unread.size > maxUnread) throw new GitError("there are too many files to be compared");
    await this.#update([...lines.removed, ...lines.put]); // removals first: a file may have become a directory
    this.#unrefreshed += ids.size;
    if (this.#unrefreshed > maxUnrefreshed) await this.#refresh();
    return { version: this.#version, unread };
  }

  /** Writes the index as a tree object, and resolves with its id. */
  async write(): Promise<string> {
    return (await this.#git.run(this.#repository, ["write-tree", "--missing-ok"])).toString("latin1").trim();
  }

  /** The paths that differ from the index, and whether they are in it. */
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
      if (stats?.isFile() !== true) return absent;
      const mode = (stats.mode & 0o100) === 0 ? "100644" : "100755";
      return { kind: "file", bytes: stats.size, mark: `${stats.size} ${stats.mtimeMs}`, mode };
    } catch {
      return absent; // it has changed meanwhile, or is not readable
    }
  }

  /** A nested repository is one entry: the commit that it has checked out, if any. */
  async #nested(path: RawPath): Promise<Found> {
    const git = gitDirectoryOf(join(this.#place.root, shownPath(path)));
    if (git === undefined) return absent;
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

  /** Undefined: the path is not in the tree. */
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

  /** Updates size and time of unchanged files in the index, so that they need not be read again. */
  async #refresh(): Promise<void> {
    // 1: some files differ from the index.
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

const absent: Found = { kind: "absent" };
