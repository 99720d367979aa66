// The files an agent may read and write through us: those in the session's directory, links resolved.
import { constants } from "node:fs";
import { type FileHandle, open, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { errorCode } from "../../error-code.ts";

/** A whole file travels in one line of JSON; more than this is no text that a model reads. */
const maxBytes = 10 * 1024 * 1024;

export async function readTextFile(
  cwd: string,
  { path, line, limit }: { path: string; line?: number | null; limit?: number | null },
): Promise<{ content: string }> {
  const real = await inside(cwd, path);
  const content = await withFile(real, constants.O_RDONLY, async (file, size) => {
    if (size > maxBytes) throw new Error(`${path} is larger than ${maxBytes} bytes`);
    return file.readFile("utf8");
  });
  if (typeof line !== "number" && typeof limit !== "number") return { content };
  const start = Math.max(0, (line ?? 1) - 1);
  const lines = content.split("\n");
  return { content: lines.slice(start, typeof limit === "number" ? start + limit : undefined).join("\n") };
}

export async function writeTextFile(
  cwd: string,
  { path, content }: { path: string; content: string },
): Promise<void> {
  const real = await inside(cwd, path);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC;
  await withFile(real, flags, (file) => file.writeFile(content));
}

/** What opening a pipe that nobody reads from fails with, or a socket. */
const nobodyThere = "ENXIO";

/**
 * A file, and nothing else: a pipe would hold one of the few threads on which all sessions' file work is done, and four of
 * them everybody's. The last part of the path has been resolved: a link that appears there since then is not followed.
 */
export async function withFile<T>(
  path: string,
  flags: number,
  use: (file: FileHandle, bytes: number) => Promise<T>,
): Promise<T> {
  const safely = constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
  const no = `${path} is no file`;
  const file = await open(path, flags | safely, 0o666).catch((error: unknown) => {
    throw errorCode(error) === nobodyThere ? new Error(no) : error;
  });
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new Error(no);
    return await use(file, stats.size);
  } finally {
    await file.close();
  }
}

/** The real path, if it lies in the directory; a file that is yet to be made lies where its directory does. */
export async function inside(cwd: string, path: string): Promise<string> {
  const root = await realpath(cwd);
  const absolute = isAbsolute(path) ? path : join(root, path);
  const real = await realpath(absolute).catch(async () =>
    join(await realpath(dirname(absolute)), basename(absolute)),
  );
  const way = relative(root, real);
  if (way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way))
    throw new Error(`${path} is outside of the session's directory`);
  return real;
}
