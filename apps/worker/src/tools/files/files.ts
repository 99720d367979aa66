// What all file tools do the same way: find the file, refuse what is none, and replace it in one step
// so that a crash or a second reader never sees half of it.
import { randomBytes } from "node:crypto";
import { type FileHandle, lstat, mkdir, open, realpath, rename, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { type Fence, makeDirectory, openWithin, realWithin, type WriteFence } from "@patchbay/sandbox";
import type { Confinement } from "../../jail/jail.ts";

/** Where a tool works, and what confines it. */
export interface FileAccess {
  readonly cwd: string;
  readonly jail: Confinement | null;
  /** What this call may write; unless given, what the jail lets it. Null: anything. */
  readonly edits?: WriteFence | null;
}

/** Relative paths start at the session's directory; models also write `~/` and `@path`. */
function resolvePath(cwd: string, path: string): string {
  const plain = path.startsWith("@") ? path.slice(1) : path;
  if (plain === "~" || plain.startsWith("~/")) return join(homedir(), plain.slice(1));
  return resolve(cwd, plain);
}

const hasCode = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && "code" in error;

/** Where a tool's argument is; whether it may be reached is asked when it is. */
export function locate(path: string, { cwd, jail }: FileAccess): string {
  const full = resolvePath(cwd, path);
  return jail === null ? full : jail.locate(full);
}

/** The size of an ordinary file, or null when nothing is there. A pipe or device would block or never end. */
export async function fileSize(path: string, shown: string, { jail }: FileAccess): Promise<number | null> {
  try {
    const stats = await stat(jail === null ? path : await realWithin(path, shown, jail.read));
    if (stats.isDirectory()) throw new Error(`${shown} is a directory; list it with ls`);
    if (!stats.isFile()) throw new Error(`${shown} is not an ordinary file`);
    return stats.size;
  } catch (error) {
    if (hasCode(error) && error.code === "ENOENT") return null;
    throw toReadableError(error, shown);
  }
}

/** A directory or file to search: its real path, because what lies below is reached without following links. */
export async function findPlace(
  path: string,
  place: FileAccess,
): Promise<{ root: string; fence: Fence | null }> {
  const { jail } = place;
  try {
    const root = await realpath(locate(path, place));
    return {
      root: jail === null ? root : await realWithin(root, path, jail.read),
      fence: jail?.read ?? null,
    };
  } catch (error) {
    throw toReadableError(error, path);
  }
}

export async function openFile(path: string, shown: string, { jail }: FileAccess): Promise<FileHandle> {
  try {
    return await (jail === null ? open(path, "r") : openWithin(path, shown, jail.read));
  } catch (error) {
    throw toReadableError(error, shown);
  }
}

/** Strictly UTF-8, with its BOM: bytes that do not decode would come back as other bytes. */
export async function readUtf8(full: string, shown: string, place: FileAccess): Promise<string> {
  await using file = await openFile(full, shown, place);
  const bytes = await file.readFile();
  if (bytes.includes(0)) throw new Error(`${shown} looks binary; refusing to edit it`);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error(`${shown} is not UTF-8 text; refusing to edit it`);
  }
}

/** Writes through symbolic links, keeps the mode of a file that exists, makes missing directories. */
export async function replaceFile(
  path: string,
  shown: string,
  content: string | Uint8Array,
  { jail, edits = jail?.write ?? null }: FileAccess,
): Promise<void> {
  try {
    if (edits === null) {
      const target = await realpath(path).catch(() => path);
      await mkdir(dirname(target), { recursive: true });
      return await replaceIn(dirname(target), basename(target), content);
    }
    const target = await realWithin(path, shown, edits);
    await using directory = await makeDirectory(dirname(target), shown, edits);
    await replaceIn(directory.path, basename(target), content);
  } catch (error) {
    throw toReadableError(error, shown);
  }
}

async function replaceIn(directory: string, name: string, content: string | Uint8Array): Promise<void> {
  const target = join(directory, name);
  const temporary = join(directory, `.${name.slice(0, 100)}.${randomBytes(6).toString("hex")}.tmp`);
  const mode = await lstat(target).then(
    (stats) => (stats.isFile() ? stats.mode & 0o7777 : undefined),
    () => undefined,
  );
  try {
    const file = await open(temporary, "wx", mode ?? 0o644);
    try {
      await file.writeFile(content);
      if (mode !== undefined) await file.chmod(mode);
    } finally {
      await file.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

const messages: Record<string, string> = {
  ENOENT: "does not exist",
  EACCES: "may not be accessed (permission denied)",
  EPERM: "may not be changed (not permitted)",
  ENOTDIR: "cannot be reached: a part of its path is a file",
  EEXIST: "cannot be reached: a part of its path is a file",
  EISDIR: "is a directory",
  ENAMETOOLONG: "has too long a name",
  ENOSPC: "cannot be written: the disk is full",
  EROFS: "cannot be written: the file system is read-only",
  ELOOP: "is a symbolic link that leads in a circle",
};

export function toReadableError(error: unknown, shown: string): Error {
  if (!hasCode(error)) return error instanceof Error ? error : new Error(String(error));
  const known = messages[error.code ?? ""];
  return known === undefined ? error : new Error(`${shown} ${known}`);
}
