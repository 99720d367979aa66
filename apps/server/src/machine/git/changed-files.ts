// The files that differ between two states of a directory: by git's diff of their trees, and by size and time for files
// that are not read.
import { pacer } from "../files/pace.ts";
import type { Unread } from "./directory-index.ts";
import { type RawPath, readFields, shownPath } from "./raw-path.ts";

export interface ChangedFile {
  path: string;
  /** The path before a rename. */
  from?: string;
  change: "added" | "modified" | "deleted" | "renamed";
  /** Lines; null: not a text file. */
  added: number | null;
  removed: number | null;
}

const changes: Readonly<Record<string, ChangedFile["change"]>> = {
  A: "added",
  M: "modified",
  D: "deleted",
  R: "renamed",
};

export type RawChange = Omit<ChangedFile, "path" | "from"> & { path: RawPath; from?: RawPath };

/**
 * `diff-index -z --raw --numstat`: first `:modes ids status NUL path NUL [path NUL]` of every file, then
 * `added TAB removed TAB path NUL`, or for a rename an empty path and both behind it.
 */
export async function readChanges(output: Buffer): Promise<RawChange[]> {
  const pause = pacer();
  const fields = await readFields(output);
  const files: RawChange[] = [];
  let at = 0;
  while (fields[at]?.startsWith(":") === true) {
    const status = /([A-Z])\d*$/.exec(fields[at++] ?? "")?.[1] ?? "M";
    const first = fields[at++] ?? "";
    const renamed = status === "R";
    const path = renamed ? (fields[at++] ?? "") : first;
    const change = changes[status] ?? "modified";
    files.push({ path, ...(renamed ? { from: first } : {}), change, added: null, removed: null });
    await pause();
  }
  const byPath = new Map(files.map((file) => [file.path, file]));
  for (; at < fields.length; at++) {
    const [added = "", removed = "", ...rest] = (fields[at] ?? "").split("\t");
    const path = rest.join("\t"); // a path may have a tab in it
    const file = byPath.get(path === "" ? (fields[(at += 2)] ?? "") : path);
    if (file !== undefined) Object.assign(file, { added: countOf(added), removed: countOf(removed) });
    await pause();
  }
  return files;
}

const countOf = (text: string): number | null => (text === "-" ? null : Number(text));

/** A file that is in a tree on one side and unread on the other was modified, though git reports it as added or deleted. */
export function withUnread(files: readonly RawChange[], before: Unread, after: Unread): RawChange[] {
  const changed = new Map<RawPath, RawChange>();
  for (const file of files) {
    const { path, from } = file;
    if (from !== undefined && (after.has(from) || before.has(path))) {
      changed.set(from, { path: from, change: "deleted", ...unknown }); // it only looks renamed
      changed.set(path, { path, change: "added", ...unknown });
    } else changed.set(path, file);
  }
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(path), after.get(path)];
    if (was === is) continue;
    const isOnBothSides = changed.has(path) || (was !== undefined && is !== undefined);
    const change = isOnBothSides ? "modified" : is === undefined ? "deleted" : "added";
    changed.set(path, { path, change, ...unknown });
  }
  return [...changed.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

const unknown = { added: null, removed: null };

/** Git's paths are relative to the repository's root; viewers get paths relative to the session's directory. */
export function relativeToPrefix({ path, from, ...file }: RawChange, prefix: RawPath): ChangedFile {
  const skip = prefix === "" ? 0 : prefix.length + 1;
  const before = from === undefined ? {} : { from: shownPath(from.slice(skip)) };
  return { path: shownPath(path.slice(skip)), ...before, ...file };
}
