// The paths in a session's directory that a few typed letters may mean, for completion. Git is asked for the
// files, so that its ignore rules hold to the letter; where there is no repository, the directory is walked.
import { execFile } from "node:child_process";
import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { rankPaths } from "./rank-paths.ts";

export interface FoundPath {
  /** From the session's directory; a directory ends with a slash. */
  path: string;
  /** Of a file. */
  bytes?: number;
}

/** What git may write, and how long it may take: a repository of some 200,000 files. */
const maxGitBytes = 16 * 1024 * 1024;
const patienceMs = 5_000;
/** Outside of a repository nothing says what is worth listing. */
const maxWalked = 20_000;
/** Not walked: what they hold was put there by programs. */
const passedOver = new Set(["node_modules", ".git", ".cache", ".venv", "__pycache__"]);
/** While somebody types, the list is not made again for each letter. */
const freshMs = 3_000;
const keptLists = 8;

export class PathFinder {
  readonly #lists = new Map<string, { at: number; paths: Promise<readonly string[]> }>();

  async find(directory: string, query: string, limit: number): Promise<FoundPath[]> {
    const paths = await this.#list(directory);
    const found: FoundPath[] = [];
    // Links are left out: they may lead elsewhere. So is what git knows and the directory no longer has.
    for (const path of rankPaths(paths, query, limit * 2)) {
      const stats = await lstat(join(directory, path)).catch(() => null);
      if (stats?.isDirectory() === true && path.endsWith("/")) found.push({ path });
      else if (stats?.isFile() === true) found.push({ path, bytes: stats.size });
      if (found.length >= limit) break;
    }
    return found;
  }

  #list(directory: string): Promise<readonly string[]> {
    const known = this.#lists.get(directory);
    if (known !== undefined && Date.now() - known.at < freshMs) return known.paths;
    const paths = listPaths(directory);
    this.#lists.delete(directory);
    this.#lists.set(directory, { at: Date.now(), paths });
    const oldest = this.#lists.size > keptLists ? this.#lists.keys().next().value : undefined;
    if (oldest !== undefined) this.#lists.delete(oldest);
    return paths;
  }
}

async function listPaths(directory: string): Promise<readonly string[]> {
  const files = (await gitFiles(directory)) ?? (await walkedFiles(directory));
  const directories = new Set<string>();
  for (const file of files) {
    for (let slash = file.indexOf("/"); slash !== -1; slash = file.indexOf("/", slash + 1))
      directories.add(file.slice(0, slash + 1));
  }
  return [...files, ...directories];
}

/** Null: there is no repository, or no git. */
function gitFiles(directory: string): Promise<readonly string[] | null> {
  // The directory is the agent's: nothing that its git config names may be run.
  const safe = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
  return new Promise((resolve) => {
    execFile(
      "git",
      [...safe, ...list],
      {
        cwd: directory,
        maxBuffer: maxGitBytes,
        timeout: patienceMs,
        killSignal: "SIGKILL",
        encoding: "utf8",
      },
      (error, stdout) => resolve(error === null ? stdout.split("\0").filter((path) => path !== "") : null),
    );
  });
}

async function walkedFiles(root: string): Promise<readonly string[]> {
  const files: string[] = [];
  const waiting = [""];
  const until = Date.now() + patienceMs;
  for (let prefix = waiting.shift(); prefix !== undefined; prefix = waiting.shift()) {
    for (const entry of await entriesOf(join(root, prefix))) {
      if (entry.isDirectory() && !passedOver.has(entry.name)) waiting.push(`${prefix}${entry.name}/`);
      else if (entry.isFile()) files.push(prefix + entry.name);
    }
    if (files.length >= maxWalked || Date.now() > until) break;
  }
  return files.slice(0, maxWalked);
}

async function entriesOf(directory: string): Promise<Dirent[]> {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch {
    return []; // not ours to read, or gone meanwhile: the rest is still worth having
  }
}
