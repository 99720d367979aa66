// Writes files of a session's directory as objects of the server's own repository. Git would open them by path, block on a
// pipe and follow a link that an agent put in their place. So the server opens each once, without following a link, and gives
// git the content: many as a stream for one pack, few as copies. Files with `.gitattributes` above them are always copied
// together with those, because the attributes decide how line ends are stored.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../../diagnostics/error-code.ts";
import { readBelow, readBelowNow } from "../files/held-directory.ts";
import { pacer } from "../files/pace.ts";
import type { OwnRepository } from "./own-repository.ts";
import { bytesOf, parentOf, quotedRaw, type RawPath } from "./raw-path.ts";
import { type Git, GitError } from "./run-git.ts";

export interface FileToWrite {
  path: RawPath;
  bytes: number;
}

export interface ToWrite {
  /** The work tree that paths are relative to; has no link in its path. */
  root: string;
  files: readonly FileToWrite[];
  /** Links with their targets. */
  links: ReadonlyMap<RawPath, Buffer>;
  maxFileBytes: number;
}

type Ids = Map<RawPath, string>;

/** Git ignores larger ones. */
const maxAttributeBytes = 1024 * 1024;
/** As many loose objects as git itself prefers to a pack. */
const packFrom = 100;
/** Short enough to be read synchronously: asynchronous reads would take ten times as long. */
const nowBytes = 256 * 1024;

/** The object of each path; a file that cannot be read without following a link has none. */
export async function writeObjects(git: Git, repository: OwnRepository, work: ToWrite): Promise<Ids> {
  const attributes = await findAttributes(work);
  const below = (path: RawPath): boolean => {
    for (let at = parentOf(path); at !== ""; at = parentOf(at)) if (attributes.has(at)) return true;
    return attributes.has("");
  };
  const plain = attributes.size === 0 ? work.files : work.files.filter(({ path }) => !below(path));
  const packed = plain.length >= packFrom;
  const copied = packed ? work.files.filter(({ path }) => below(path)) : work.files;
  const stage = new Stage(git, repository, work);
  await stage.remove(); // left by a killed server
  try {
    return new Map([
      ...(packed ? await writePack(git, repository, { ...work, files: plain }) : []),
      ...(copied.length > 0 ? await stage.writeFiles(copied, attributes) : []),
      ...(work.links.size > 0 ? await stage.writeLinks(work.links) : []),
    ]);
  } finally {
    await stage.remove();
  }
}

/** The `.gitattributes` of every directory that a file is in, and of those above, by directory. */
async function findAttributes({ root, files }: ToWrite): Promise<Map<RawPath, Buffer>> {
  const attributes = new Map<RawPath, Buffer>();
  const seen = new Set<RawPath>();
  const pause = pacer();
  const look = (directory: RawPath): void => {
    seen.add(directory);
    const path = directory === "" ? ".gitattributes" : `${directory}/.gitattributes`;
    const content = readBelowNow(root, bytesOf(path), maxAttributeBytes);
    if (content !== undefined) attributes.set(directory, content);
  };
  if (files.length > 0) look("");
  for (const { path } of files) {
    for (let at = parentOf(path); at !== "" && !seen.has(at); at = parentOf(at)) look(at);
    await pause();
  }
  return attributes;
}

const contentOf = async ({ root, maxFileBytes }: ToWrite, { path, bytes }: FileToWrite) =>
  bytes <= nowBytes
    ? readBelowNow(root, bytesOf(path), maxFileBytes)
    : readBelow(root, bytesOf(path), maxFileBytes);

async function writePack(git: Git, repository: OwnRepository, work: ToWrite): Promise<Ids> {
  const written: RawPath[] = [];
  const pause = pacer();
  async function* stream(): AsyncGenerator<Buffer> {
    for (const file of work.files) {
      const content = await contentOf(work, file);
      if (content === undefined) continue;
      await pause();
      const mark = written.push(file.path);
      yield Buffer.concat([Buffer.from(`blob\nmark :${mark}\ndata ${content.length}\n`), content, newline]);
    }
    for (const [at] of written.entries()) yield Buffer.from(`get-mark :${at + 1}\n`);
    yield Buffer.from("done\n");
  }
  const args = ["-c", "fastimport.unpackLimit=0", "fast-import", "--quiet", "--done", "--depth=0"];
  return idsOf(written, await git.run(repository, args, { input: stream() }));
}

const newline = Buffer.from("\n");

/** Copies of files for git to read, in a directory of the server's own. */
class Stage {
  readonly #git: Git;
  readonly #repository: OwnRepository;
  readonly #work: ToWrite;

  constructor(git: Git, repository: OwnRepository, work: ToWrite) {
    this.#git = git;
    this.#repository = repository;
    this.#work = work;
  }

  async writeFiles(files: readonly FileToWrite[], attributes: ReadonlyMap<RawPath, Buffer>): Promise<Ids> {
    const written: RawPath[] = [];
    await this.#copy("", ".gitattributes", attributes.get(""));
    for (const file of files) {
      const content = await contentOf(this.#work, file);
      if (content === undefined) continue;
      const parent = parentOf(file.path);
      if (await this.#copy(parent, file.path, content)) written.push(file.path);
    }
    for (const [directory, content] of attributes)
      if (directory !== "") await this.#copy(directory, `${directory}/.gitattributes`, content);
    if (written.length === 0) return new Map();
    return this.#hash("files", written, []).catch((error: unknown) => {
      if (!(error instanceof GitError) || error.timedOut) throw error;
      return this.#hash("files", written, ["--no-filters"]); // the content does not match its declared encoding
    });
  }

  async writeLinks(links: ReadonlyMap<RawPath, Buffer>): Promise<Ids> {
    await mkdir(join(this.#directory, "links"), { recursive: true });
    const names: string[] = [];
    for (const target of links.values()) {
      const name = String(names.push(String(names.length)) - 1);
      await writeFile(join(this.#directory, "links", name), target, { flag: "wx" });
    }
    const ids = await this.#hash("links", names, ["--no-filters"]);
    return new Map([...links.keys()].map((path, at) => [path, ids.get(String(at)) ?? ""]));
  }

  async remove(): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true }); // contains only copies
  }

  /** False: the path of the copy, which is longer than the file's own, is too long. */
  async #copy(parent: RawPath, path: RawPath, content: Buffer | undefined): Promise<boolean> {
    if (content === undefined) return false;
    try {
      await mkdir(this.#place(parent), { recursive: true });
      await writeFile(this.#place(path), content);
      return true;
    } catch (error) {
      if (errorCode(error) === "ENAMETOOLONG") return false;
      throw error;
    }
  }

  async #hash(directory: string, names: readonly RawPath[], how: readonly string[]): Promise<Ids> {
    const cwd = join(this.#directory, directory);
    const input = Buffer.from(names.map((name) => `${quotedRaw(name)}\n`).join(""), "latin1");
    const args = ["hash-object", "-w", ...how, "--stdin-paths"];
    return idsOf(names, await this.#git.run(this.#repository, args, { cwd, workTree: cwd, input }));
  }

  #place(path: RawPath): Buffer {
    return Buffer.concat([Buffer.from(`${this.#directory}/files/`), bytesOf(path)]);
  }

  get #directory(): string {
    return join(this.#repository.directory, "stage");
  }
}

/** Git writes one line for each path, in their order. */
function idsOf(paths: readonly RawPath[], output: Buffer): Ids {
  const lines = output.toString("latin1").split("\n");
  if (lines.length !== paths.length + 1) throw new GitError("git did not store every file");
  return new Map(paths.map((path, at) => [path, lines[at] ?? ""]));
}
