// Reads and writes files for an agent: only files in the session's directory (links resolved), none that are private, and
// files that other programs execute later only after a person's approval.
import { constants } from "node:fs";
import { type FileHandle, open, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";
import { RequestError } from "@agentclientprotocol/sdk";
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

/** A whole file is sent in one line of JSON; a model does not read a longer text. */
const maxBytes = 10 * 1024 * 1024;

export interface AgentFiles {
  readonly cwd: string;
  readonly rules: FileRules;
}

export async function readTextFile(
  files: AgentFiles,
  { path, line, limit }: { path: string; line?: number | null; limit?: number | null },
): Promise<{ content: string }> {
  const file = await openWithin(wholePath(files, path), path, await fenceOf(files)).catch(notFound(path));
  const content = await useFile(file, path, async (_file, size) => {
    if (size > maxBytes) throw new Error(`${path} is larger than ${maxBytes} bytes`);
    return file.readFile("utf8");
  });
  if (typeof line !== "number" && typeof limit !== "number") return { content };
  const start = Math.max(0, (line ?? 1) - 1);
  const lines = content.split("\n");
  return { content: lines.slice(start, typeof limit === "number" ? start + limit : undefined).join("\n") };
}

/** `askPerson` gets the reason why a person has to approve, and resolves with the answer. */
export async function writeTextFile(
  files: AgentFiles,
  { path, content }: { path: string; content: string },
  askPerson: (why: string) => Promise<boolean>,
): Promise<void> {
  const fence = await fenceOf(files);
  const real = await realWithin(wholePath(files, path), path, fence);
  const home = homeOf(files.rules);
  const why = files.rules.fullAccess ? null : executedLater(real, fence.inside, home);
  if (why !== null && !(await askPerson(why))) throw new Error(`The user denied writing ${path}.`);
  // A link may have replaced the file since: only the path that was checked, or approved, is written.
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

const wholePath = ({ cwd }: AgentFiles, path: string): string => (isAbsolute(path) ? path : join(cwd, path));

async function fenceOf({ cwd, rules }: AgentFiles): Promise<Fence> {
  return {
    inside: [await realpath(cwd)],
    hidden: privatePlaces(homeOf(rules), [rules.serverHome]),
    outside: "is outside of the session's directory, or private",
  };
}

/** The error of opening a socket, or a pipe without a reader. */
const noReader = "ENXIO";

const noFile =
  (shown: string) =>
  (error: unknown): never => {
    throw errorCode(error) === noReader ? new Error(`${shown} is not a file`) : error;
  };

/** Agents recognize by the code that a file is not there, and create it. */
const notFound =
  (shown: string) =>
  (error: unknown): never => {
    if (errorCode(error) === "ENOENT") throw RequestError.resourceNotFound(shown);
    return noFile(shown)(error);
  };

type Use<T> = (file: FileHandle, bytes: number) => Promise<T>;

/** The path has been resolved before: a link that has since replaced its last part is not followed. */
export async function withFile<T>(path: string, flags: number, use: Use<T>, shown = path): Promise<T> {
  const safely = constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
  return useFile(await open(path, flags | safely, 0o666).catch(noFile(shown)), shown, use);
}

/**
 * Uses regular files only: reading a pipe would block one of the four threads that do the file work of all sessions.
 */
async function useFile<T>(file: FileHandle, shown: string, use: Use<T>): Promise<T> {
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new Error(`${shown} is not a file`);
    return await use(file, stats.size);
  } finally {
    await file.close();
  }
}

/** Returns the real path; throws when it is outside of the directory. */
export async function inside(cwd: string, path: string): Promise<string> {
  const root = await realpath(cwd);
  const fence = { inside: [root], hidden: [], outside: "is outside of the session's directory" };
  return realWithin(isAbsolute(path) ? path : join(root, path), path, fence);
}
