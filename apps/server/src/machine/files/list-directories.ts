// The directories that a typed path may mean, for a person who chooses where a session works. Only names of directories are
// read, and only of those that sessions may use and of those that lead to them.
import type { Dirent } from "node:fs";
import { lstat, opendir, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import type { DirectoryList } from "@patchbay/protocol";
import { type Config, expandHome } from "../../config/config.ts";

/** More than a person reads; typing narrows the rest. */
const maxEntries = 200;
/** A directory may have millions of files, and all are read to find the directories among them. */
const maxRead = 20_000;

export async function listDirectories(
  typed: string,
  { directories, branch }: Pick<Config, "directories"> & { branch(directory: string): string | null },
): Promise<DirectoryList> {
  const home = homedir();
  const text = typed.trim() === "~" ? "~/" : typed.trim();
  const path = expandHome(text);
  const none = { directory: null, found: null, entries: [], more: false, home };
  if (!isAbsolute(path) || path.includes("\0")) return none;
  const roots = (await Promise.all(directories.map(realDirectory))).filter((root) => root !== undefined);
  const named = await realDirectory(path);
  const found = named !== undefined && isInside(named, roots) ? { path: named, branch: branch(named) } : null;
  const parent = text.endsWith("/") ? path : dirname(path);
  const beginning = text.endsWith("/") ? "" : basename(path);
  const directory = await realDirectory(parent);
  if (directory === undefined) return { ...none, found };
  if (isInside(directory, roots))
    return { directory, found, home, ...(await entriesOf(directory, beginning, roots)) };
  // Above the roots, only what leads to them is shown.
  const names = roots.flatMap((root) => {
    const below = relative(directory, root);
    return below.startsWith("..") ? [] : (below.split(sep)[0] ?? []);
  });
  const leading = [...new Set(names)].filter((name) => begins(name, beginning)).sort();
  if (names.length === 0) return { ...none, found };
  const entries = await Promise.all(leading.map((name) => entryOf(directory, name)));
  return { directory, found, entries, more: false, home };
}

async function entriesOf(
  directory: string,
  beginning: string,
  roots: readonly string[],
): Promise<Pick<DirectoryList, "entries" | "more">> {
  const names: string[] = [];
  let read = 0;
  try {
    for await (const entry of await opendir(directory)) {
      if (++read > maxRead) break;
      if (!begins(entry.name, beginning) || (entry.name.startsWith(".") && !beginning.startsWith(".")))
        continue;
      if (await leadsToDirectory(directory, entry, roots)) names.push(entry.name);
    }
  } catch {
    return { entries: [], more: false }; // not readable, or removed meanwhile
  }
  names.sort((a, b) => a.localeCompare(b));
  const entries = await Promise.all(names.slice(0, maxEntries).map((name) => entryOf(directory, name)));
  return { entries, more: names.length > maxEntries || read > maxRead };
}

/** A link counts if it leads to a directory that sessions may use; one that leads to itself leads nowhere. */
async function leadsToDirectory(
  directory: string,
  entry: Dirent,
  roots: readonly string[],
): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  const real = await realDirectory(join(directory, entry.name));
  return real !== undefined && isInside(real, roots);
}

async function entryOf(directory: string, name: string): Promise<DirectoryList["entries"][number]> {
  const path = join(directory, name);
  const git = await lstat(join(path, ".git")).then(
    () => true,
    () => false,
  );
  return { name, path, git };
}

const begins = (name: string, beginning: string): boolean =>
  name.toLowerCase().startsWith(beginning.toLowerCase());

const isInside = (path: string, roots: readonly string[]): boolean =>
  roots.some((root) => path === root || path.startsWith(root.endsWith(sep) ? root : root + sep));

async function realDirectory(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch {
    return undefined; // absent or not readable
  }
}
