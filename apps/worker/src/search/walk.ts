// Walks a directory in the order of names, without what git ignores, and without following links: a link
// may lead in a circle or out of what may be read. Synchronous, because it runs in a thread of its own.
import { closeSync, constants, type Dirent, openSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { allowsOpened, type Fence } from "@patchbay/sandbox";
import { IgnoreRules } from "./ignore-rules.ts";

export interface FoundEntry {
  readonly full: string;
  /** Relative to the directory that is walked; a file that is walked itself has its name. */
  readonly path: string;
  readonly isDirectory: boolean;
}

export function* walk(root: string, fence: Fence | null): Generator<FoundEntry> {
  if (!statSync(root).isDirectory()) {
    yield { full: root, path: basename(root), isDirectory: false };
    return;
  }
  yield* walkDirectory(root, "", IgnoreRules.above(root), fence);
}

function* walkDirectory(
  directory: string,
  prefix: string,
  outer: IgnoreRules,
  fence: Fence | null,
): Generator<FoundEntry> {
  const entries = list(directory, fence);
  const rules = entries.some(({ name }) => name === ".gitignore") ? outer.enter(directory) : outer;
  for (const entry of entries) {
    const { name } = entry;
    if (name === ".git") continue;
    const isDirectory = entry.isDirectory();
    const full = join(directory, name);
    if (rules.ignores(full, isDirectory)) continue;
    const path = prefix + name;
    yield { full, path, isDirectory };
    if (isDirectory) yield* walkDirectory(full, `${path}/`, rules, fence);
  }
}

/** Only files and directories: links, pipes and devices are passed over. */
function list(directory: string, fence: Fence | null): Dirent[] {
  const all = fence === null ? readNames(directory) : listFenced(directory, fence);
  return all
    .filter((entry) => entry.isDirectory() || entry.isFile())
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** Through its descriptor, which stays the same directory whatever its name leads to meanwhile. */
function listFenced(directory: string, fence: Fence): Dirent[] {
  let descriptor: number;
  try {
    descriptor = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch {
    return [];
  }
  try {
    if (!allowsOpened(fence, descriptor)) return [];
    return readNames(process.platform === "linux" ? `/proc/self/fd/${descriptor}` : directory);
  } finally {
    closeSync(descriptor);
  }
}

function readNames(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return []; // not readable, or deleted meanwhile: the rest is still listed
  }
}
