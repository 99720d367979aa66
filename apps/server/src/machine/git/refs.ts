// Refs, read and written as files (gitrepository-layout): one file each below refs/, or a line of packed-refs. No link is
// followed, so that no ref of another repository is read or written.
import { lstat, realpath } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../../diagnostics/error-code.ts";
import { HeldDirectory, readBelow } from "../files/held-directory.ts";
import { readBoundedText } from "../files/read-bounded.ts";
import { isRefName, type Repository } from "./repository.ts";

/** The commit and branch of HEAD. `branch` is absent when HEAD is detached. */
export interface Head {
  commit: string;
  branch?: string;
}

/** A ref contains one object id or the name of one ref. */
const maxRefBytes = 4 * 1024;
/** Half a million refs. */
const maxPackedBytes = 64 * 1024 * 1024;
/** As many as git follows. */
const maxHops = 5;

/** Undefined: HEAD names no commit, or has an unknown format. */
export async function headOf({ git, common }: Pick<Repository, "git" | "common">): Promise<Head | undefined> {
  const head = readBoundedText(join(git, "HEAD"), maxRefBytes);
  const target = head === undefined ? undefined : targetOf(head);
  if (target === undefined) return undefined;
  if ("commit" in target) return target;
  const base = await realpath(common).catch(() => undefined);
  const commit = base === undefined ? undefined : await commitOf(base, target.ref);
  return commit === undefined ? undefined : { commit, branch: target.ref };
}

/** The object that a ref names. `common` has no link in its path. */
export async function commitOf(common: string, name: string): Promise<string | undefined> {
  let ref = name;
  for (let hop = 0; hop < maxHops; hop++) {
    const loose = await readBelow(common, ref, maxRefBytes);
    if (loose === undefined) {
      // A pipe or link is in its place: the packed ref might be older, so it is not used.
      const stats = await lstat(join(common, ref)).catch(() => undefined);
      if (stats !== undefined && !stats.isDirectory()) return undefined;
      return packedCommit(await readPacked(common), ref);
    }
    const target = targetOf(loose.toString("utf8"));
    if (target === undefined || "commit" in target) return target?.commit;
    ref = target.ref;
  }
  return undefined;
}

/** Makes a new branch. Rejects with the end of a sentence for a person when it cannot. `common` has no link in its path. */
export async function createBranch(common: string, ref: string, commit: string): Promise<void> {
  const parts = ref.split("/");
  const name = parts.pop() ?? "";
  const packed = await readPacked(common);
  const above = parts.slice(2).map((_, at) => parts.slice(0, at + 3).join("/")); // a branch has no branches below it
  for (const taken of [...above, ref])
    if (packedCommit(packed, taken) !== undefined) throw new Error(`it has a branch ${taken}`);
  if (packed.includes(` ${ref}/`)) throw new Error(`it has branches below ${ref}`);
  await using directory = await HeldDirectory.ensurePath(common, parts);
  // Like git: the lock file excludes other writers, and is renamed to the ref.
  await directory.create(`${name}.lock`, `${commit}\n`);
  if (await directory.has(name)) {
    await directory.unlink(`${name}.lock`);
    throw new Error(`it has a branch ${ref}`);
  }
  await directory.rename(`${name}.lock`, name);
}

/** Removes a branch that was just made, unless it has moved since. */
export async function dropBranch(common: string, ref: string, commit: string): Promise<void> {
  if ((await readBelow(common, ref, maxRefBytes))?.toString("utf8").trim() !== commit) return;
  const parts = ref.split("/");
  const name = parts.pop() ?? "";
  try {
    await using directory = await HeldDirectory.open(join(common, ...parts));
    await directory.unlink(name);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}

function targetOf(text: string): { commit: string } | { ref: string } | undefined {
  const line = text.trim();
  if (/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(line)) return { commit: line };
  const ref = /^ref:\s*(.+)$/.exec(line)?.[1];
  return ref !== undefined && isRefName(ref) ? { ref } : undefined;
}

/** Empty when there is no such file. Rejects when it cannot be read: it could contain the branch. */
async function readPacked(common: string): Promise<Buffer> {
  const packed = await readBelow(common, "packed-refs", maxPackedBytes);
  if (packed !== undefined) return packed;
  await using directory = await HeldDirectory.open(common);
  if (await directory.has("packed-refs")) throw new Error("its packed-refs cannot be read");
  return Buffer.alloc(0);
}

/** Lines are `<object> <ref>`. */
function packedCommit(packed: Buffer, ref: string): string | undefined {
  const line = Buffer.from(` ${ref}\n`);
  for (let at = packed.indexOf(line); at !== -1; at = packed.indexOf(line, at + 1)) {
    const start = packed.lastIndexOf("\n", at) + 1;
    const target = targetOf(packed.subarray(start, at).toString("latin1"));
    if (target !== undefined && "commit" in target) return target.commit;
  }
  return undefined;
}
