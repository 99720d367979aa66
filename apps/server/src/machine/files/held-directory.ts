// A directory held by its descriptor, and files opened below a root without following any link. Between the check of a
// path and its use an agent can replace a part of the path by a link; an open descriptor cannot be replaced. Node has no
// openat: Linux shows descriptors as directories (/proc/self/fd), elsewhere the path is checked before each use.
import { constants, existsSync, readlinkSync, realpathSync } from "node:fs";
import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  rename,
  rmdir,
  unlink,
} from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../../diagnostics/error-code.ts";
import { openRegular, readBounded, readHandle } from "./read-bounded.ts";

const descriptors = process.platform === "linux" && existsSync("/proc/self/fd") ? "/proc/self/fd" : undefined;

/** Deeper than any real checkout: a deeper tree was made to exhaust descriptors. */
const maxDepth = 128;

class NotADirectoryError extends Error {
  constructor(path: string) {
    super(`${path} is not a directory, or is reached through a link`);
    this.name = "NotADirectoryError";
  }
}

export class HeldDirectory implements AsyncDisposable {
  readonly path: string;
  readonly #handle: FileHandle;

  private constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  /** `path` is absolute and has no link in it; absent: the error has the code ENOENT. */
  static async open(path: string): Promise<HeldDirectory> {
    const handle = await openDirectory(path, path);
    if (await isAt(handle, Buffer.from(path))) return new HeldDirectory(path, handle);
    await handle.close();
    throw new NotADirectoryError(path);
  }

  /** The directory below `root` at these names; makes missing ones. */
  static async ensurePath(root: string, names: readonly string[]): Promise<HeldDirectory> {
    let directory = await HeldDirectory.open(root);
    for (const name of names) {
      await using above = directory;
      directory = await above.ensure(name);
    }
    return directory;
  }

  /** A directory in this one, not a link to one. */
  async child(name: string): Promise<HeldDirectory> {
    const path = join(this.path, name);
    return new HeldDirectory(path, await openDirectory(await this.#at(name), path));
  }

  /** Makes a new directory; rejects if the name exists. */
  async make(name: string): Promise<HeldDirectory> {
    await mkdir(await this.#at(name));
    return this.child(name);
  }

  /** Like `child`; makes the directory if it is missing. */
  async ensure(name: string): Promise<HeldDirectory> {
    try {
      await mkdir(await this.#at(name));
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
    return this.child(name);
  }

  /** Writes a new file; rejects if the name exists. */
  async create(name: string, content: string | Buffer): Promise<void> {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    const file = await open(await this.#at(name), flags, 0o666); // as git does: the person's umask decides
    try {
      await file.writeFile(content);
    } finally {
      await file.close();
    }
  }

  /** A file's text; undefined when it is absent, no regular file, or longer than `maxBytes`. */
  async readText(name: string, maxBytes: number): Promise<string | undefined> {
    const file = await openRegular(await this.#at(name));
    if (file === undefined) return undefined;
    try {
      return (await readHandle(file, maxBytes))?.toString("utf8");
    } finally {
      await file.close();
    }
  }

  async has(name: string): Promise<boolean> {
    try {
      await lstat(await this.#at(name));
      return true;
    } catch (error) {
      if (errorCode(error) === "ENOENT") return false;
      throw error;
    }
  }

  /** The target must not exist, or be replaceable; a link in its place is replaced, not followed. */
  async rename(from: string, to: string): Promise<void> {
    await rename(await this.#at(from), await this.#at(to));
  }

  async unlink(name: string): Promise<void> {
    await unlink(await this.#at(name));
  }

  /** Removes an empty directory; one that is not empty stays. */
  async removeEmpty(name: string): Promise<void> {
    try {
      await rmdir(await this.#at(name));
    } catch (error) {
      if (!["ENOTEMPTY", "EEXIST", "ENOENT"].includes(errorCode(error) ?? "")) throw error;
    }
  }

  /** Removes a directory and everything in it. Links are removed, never followed. */
  async removeTree(name: string): Promise<void> {
    await this.#removeTree(Buffer.from(name), 0);
  }

  async #removeTree(name: Buffer, depth: number): Promise<void> {
    if (depth > maxDepth) throw new Error(`${this.path} is too deep to be removed`);
    const place = await this.#at(name);
    const path = join(this.path, name.toString("utf8"));
    const inside = new HeldDirectory(path, await openDirectory(place, path));
    try {
      // Some caches contain read-only directories, which must be removable, too.
      if (((await inside.#handle.stat()).mode & 0o700) !== 0o700) await inside.#handle.chmod(0o700);
      for (const entry of await readdir(await inside.#at("."), { withFileTypes: true, encoding: "buffer" }))
        await inside.#removeEntry(entry.name, entry.isDirectory(), depth);
    } finally {
      await inside[Symbol.asyncDispose]();
    }
    await rmdir(place);
  }

  async #removeEntry(name: Buffer, isDirectory: boolean, depth: number): Promise<void> {
    try {
      if (isDirectory) await this.#removeTree(name, depth + 1);
      else await unlink(await this.#at(name));
    } catch (error) {
      if (error instanceof NotADirectoryError)
        await unlink(await this.#at(name)); // a link has taken its place
      else if (errorCode(error) !== "ENOENT") throw error; // ENOENT: already removed
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }

  /** The path of an entry of this directory, even if the directory was moved. */
  async #at(name: string | Buffer): Promise<Buffer> {
    const bytes = Buffer.from(name);
    if (bytes.length === 0 || bytes.includes("/") || bytes.includes(0) || bytes.equals(Buffer.from("..")))
      throw new Error(`${JSON.stringify(name.toString())} is no name of a file`);
    if (descriptors !== undefined)
      return Buffer.concat([Buffer.from(`${descriptors}/${this.#handle.fd}/`), bytes]);
    const [held, found] = [await this.#handle.stat(), await lstat(this.path)];
    if (held.ino !== found.ino || held.dev !== found.dev) throw new NotADirectoryError(this.path);
    return Buffer.concat([Buffer.from(`${this.path}/`), bytes]);
  }
}

/** A regular file below `root`, which has no link in its path, reached without a link; undefined: there is none. */
async function openBelow(root: string, path: string | Buffer): Promise<FileHandle | undefined> {
  const whole = Buffer.concat([Buffer.from(root.endsWith("/") ? root : `${root}/`), Buffer.from(path)]);
  const file = await openRegular(whole);
  if (file === undefined) return undefined;
  if (await isAt(file, whole)) return file;
  await file.close();
  return undefined;
}

/** The content of such a file of at most `maxBytes`. */
export async function readBelow(
  root: string,
  path: string | Buffer,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const file = await openBelow(root, path);
  try {
    return file === undefined ? undefined : await readHandle(file, maxBytes);
  } finally {
    await file?.close();
  }
}

/** The same without a promise, for many short files. Never waits: see read-bounded.ts. */
export function readBelowNow(root: string, path: Buffer, maxBytes: number): Buffer | undefined {
  const whole = Buffer.concat([Buffer.from(root.endsWith("/") ? root : `${root}/`), path]);
  return readBounded(whole, maxBytes, (descriptor) =>
    descriptors === undefined
      ? isRealPath(whole)
      : readlinkSync(`${descriptors}/${descriptor}`, { encoding: "buffer" }).equals(whole),
  );
}

/** The path exists, and no part of it is a link. */
export function isRealPath(path: Buffer): boolean {
  // The native one takes any bytes, the other one keeps the case of letters where file systems ignore it.
  const resolve = process.platform === "linux" ? realpathSync.native : realpathSync;
  try {
    return resolve(path, { encoding: "buffer" }).equals(path);
  } catch {
    return false; // nothing is there
  }
}

async function openDirectory(place: string | Buffer, path: string): Promise<FileHandle> {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  try {
    return await open(place, flags);
  } catch (error) {
    if (["ELOOP", "ENOTDIR"].includes(errorCode(error) ?? "")) throw new NotADirectoryError(path);
    throw error;
  }
}

/** The open file lies at exactly this path: no part of the path was a link when it was opened. */
async function isAt(file: FileHandle, path: Buffer): Promise<boolean> {
  if (descriptors !== undefined)
    return (await readlink(`${descriptors}/${file.fd}`, { encoding: "buffer" })).equals(path);
  try {
    const [held, found] = [await file.stat(), await lstat(path)];
    return held.ino === found.ino && held.dev === found.dev && isRealPath(path);
  } catch {
    return false; // removed meanwhile
  }
}
