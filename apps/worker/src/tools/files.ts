// What all file tools do the same way: find the file, refuse what is none, and replace it in one step
// so that a crash or a second reader never sees half of it.
import { randomBytes } from "node:crypto";
import { type FileHandle, mkdir, open, realpath, rename, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type { Fence } from "../search/fence.ts";
import type { ToolContext } from "./tool.ts";

/** Relative paths start at the session's directory; models also write `~/` and `@path`. */
export function resolvePath(cwd: string, path: string): string {
  const plain = path.startsWith("@") ? path.slice(1) : path;
  if (plain === "~" || plain.startsWith("~/")) return join(homedir(), plain.slice(1));
  return resolve(cwd, plain);
}

const hasCode = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && "code" in error;

/** The size of an ordinary file, or null when nothing is there. A pipe or device would block or never end. */
export async function fileSize(path: string, shown: string): Promise<number | null> {
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) throw new Error(`${shown} is a directory; list it with ls`);
    if (!stats.isFile()) throw new Error(`${shown} is not an ordinary file`);
    return stats.size;
  } catch (error) {
    if (hasCode(error) && error.code === "ENOENT") return null;
    throw inWords(error, shown);
  }
}

/** A directory or file to search: its real path, because what lies below is reached without following links. */
export async function findPlace(
  path: string,
  { cwd }: ToolContext,
): Promise<{ root: string; fence: Fence | null }> {
  try {
    return { root: await realpath(resolvePath(cwd, path)), fence: null };
  } catch (error) {
    throw inWords(error, path);
  }
}

export async function openFile(path: string, shown: string): Promise<FileHandle> {
  try {
    return await open(path, "r");
  } catch (error) {
    throw inWords(error, shown);
  }
}

/** Strictly UTF-8, with its BOM: bytes that do not decode would come back as other bytes. */
export async function readText(full: string, shown: string): Promise<string> {
  await using file = await openFile(full, shown);
  const bytes = await file.readFile();
  if (bytes.includes(0)) throw new Error(`${shown} looks binary; refusing to edit it`);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error(`${shown} is not UTF-8 text; refusing to edit it`);
  }
}

/** Writes through symbolic links, keeps the mode of a file that exists, makes missing directories. */
export async function replaceFile(path: string, shown: string, content: string | Uint8Array): Promise<void> {
  let temporary: string | undefined;
  try {
    const target = await realpath(path).catch(() => path);
    const mode = await stat(target).then(
      (stats) => stats.mode & 0o7777,
      () => undefined,
    );
    await mkdir(dirname(target), { recursive: true });
    temporary = join(
      dirname(target),
      `.${basename(target).slice(0, 100)}.${randomBytes(6).toString("hex")}.tmp`,
    );
    const file = await open(temporary, "wx", mode ?? 0o644);
    try {
      await file.writeFile(content);
      if (mode !== undefined) await file.chmod(mode);
    } finally {
      await file.close();
    }
    await rename(temporary, target);
  } catch (error) {
    if (temporary !== undefined) await rm(temporary, { force: true });
    throw inWords(error, shown);
  }
}

const words: Record<string, string> = {
  ENOENT: "does not exist",
  EACCES: "may not be accessed (permission denied)",
  EPERM: "may not be changed (not permitted)",
  ENOTDIR: "cannot be reached: a part of its path is a file",
  EISDIR: "is a directory",
  ENAMETOOLONG: "has too long a name",
  ENOSPC: "cannot be written: the disk is full",
  EROFS: "cannot be written: the file system is read-only",
  ELOOP: "is a symbolic link that leads in a circle",
};

export function inWords(error: unknown, shown: string): Error {
  if (!hasCode(error)) return error instanceof Error ? error : new Error(String(error));
  const known = words[error.code ?? ""];
  return known === undefined ? error : new Error(`${shown} ${known}`);
}
