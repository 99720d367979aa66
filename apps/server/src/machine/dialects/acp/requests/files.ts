// The files an agent may read and write through us: those in the session's directory, links resolved, but nothing private
// in it, and what other programs run later only if a person allows it.
import { constants } from "node:fs";
import { type FileHandle, open, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";
import {
  executedLater,
  type Fence,
  holdDirectory,
  homeOf,
  isWithin,
  openWithin,
  privatePlaces,
  realWithin,
  type WriteFence,
} from "@patchbay/sandbox";
import { errorCode } from "../../../../diagnostics/error-code.ts";
import type { FileRules } from "../../dialect.ts";

/** A whole file travels in one line of JSON; more than this is no text that a model reads. */
const maxBytes = 10 * 1024 * 1024;

export interface SessionFiles {
  readonly cwd: string;
  readonly rules: FileRules;
}

export async function readTextFile(
  files: SessionFiles,
  { path, line, limit }: { path: string; line?: number | null; limit?: number | null },
): Promise<{ content: string }> {
  const file = await openWithin(wholePath(files, path), path, await fenceOf(files)).catch(noFile(path));
  const content = await useFile(file, path, async (_file, size) => {
    if (size > maxBytes) throw new Error(`${path} is larger than ${maxBytes} bytes`);
    return file.readFile("utf8");
  });
  if (typeof line !== "number" && typeof limit !== "number") return { content };
  const start = Math.max(0, (line ?? 1) - 1);
  const lines = content.split("\n");
  return { content: lines.slice(start, typeof limit === "number" ? start + limit : undefined).join("\n") };
}

/** `asks` is told why a person has to allow it, and resolves with their answer. */
export async function writeTextFile(
  files: SessionFiles,
  { path, content }: { path: string; content: string },
  asks: (why: string) => Promise<boolean>,
): Promise<void> {
  const fence = await fenceOf(files);
  const real = await realWithin(wholePath(files, path), path, fence);
  const home = homeOf(files.rules);
  const why = files.rules.fullAccess ? null : executedLater(real, fence.inside, home);
  if (why !== null && !(await asks(why))) throw new Error(`The person did not allow to write ${path}.`);
  // Meanwhile a link may have been put in its place: only what was looked at, or asked about, is written.
  const isSame = (place: string): boolean =>
    why === null ? executedLater(place, fence.inside, home) === null : isWithin(real, place);
  const allowed: WriteFence = {
    ...fence,
    refusal: (place) => (files.rules.fullAccess || isSame(place) ? null : "is not what was allowed"),
  };
  await using directory = await holdDirectory(dirname(real), path, allowed);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC;
  await withFile(join(directory.path, basename(real)), flags, (file) => file.writeFile(content), path);
}

const wholePath = ({ cwd }: SessionFiles, path: string): string =>
  isAbsolute(path) ? path : join(cwd, path);

async function fenceOf({ cwd, rules }: SessionFiles): Promise<Fence> {
  return {
    inside: [await realpath(cwd)],
    hidden: privatePlaces(homeOf(rules), [rules.serverHome]),
    outside: "is outside of the session's directory, or private",
  };
}

/** What opening a pipe that nobody reads from fails with, or a socket. */
const nobodyThere = "ENXIO";

const noFile =
  (shown: string) =>
  (error: unknown): never => {
    throw errorCode(error) === nobodyThere ? new Error(`${shown} is no file`) : error;
  };

type Use<T> = (file: FileHandle, bytes: number) => Promise<T>;

/** The last part of the path has been resolved: a link that appears there since then is not followed. */
export async function withFile<T>(path: string, flags: number, use: Use<T>, shown = path): Promise<T> {
  const safely = constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
  return useFile(await open(path, flags | safely, 0o666).catch(noFile(shown)), shown, use);
}

/**
 * A file, and nothing else: a pipe would hold one of the few threads on which all sessions' file work is done, and four of
 * them everybody's.
 */
async function useFile<T>(file: FileHandle, shown: string, use: Use<T>): Promise<T> {
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new Error(`${shown} is no file`);
    return await use(file, stats.size);
  } finally {
    await file.close();
  }
}

/** The real path, if it lies in the directory. */
export async function inside(cwd: string, path: string): Promise<string> {
  const root = await realpath(cwd);
  const fence = { inside: [root], hidden: [], outside: "is outside of the session's directory" };
  return realWithin(isAbsolute(path) ? path : join(root, path), path, fence);
}
