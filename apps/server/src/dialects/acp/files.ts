// The files an agent may read and write through us: those in the session's directory, links resolved.
import { constants } from "node:fs";
import { open, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";

/** A whole file travels in one line of JSON; more than this is no text that a model reads. */
const maxBytes = 10 * 1024 * 1024;

export async function readTextFile(
  cwd: string,
  { path, line, limit }: { path: string; line?: number | null; limit?: number | null },
): Promise<{ content: string }> {
  const real = await inside(cwd, path);
  const { size } = await stat(real);
  if (size > maxBytes) throw new Error(`${path} is larger than ${maxBytes} bytes`);
  const content = await readFile(real, "utf8");
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
  // Its last part has been resolved: a link that appears there since then is not followed.
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
  const file = await open(real, flags, 0o666);
  try {
    await file.writeFile(content);
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
