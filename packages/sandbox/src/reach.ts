// Files and directories within a fence. A path is resolved as far as it exists, links and all, and what
// is then opened is held open: work goes through the descriptor, which no swapped link can lead elsewhere.
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { allows, allowsOpened, type WriteFence } from "./fence.ts";

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
/** As many as Linux follows. */
const maxLinks = 40;

class OutsideError extends Error {}

/** The real path of what is, or would be, at `path`. Rejects when the fence does not allow it. */
export async function realWithin(path: string, shown: string, fence: WriteFence): Promise<string> {
  const real = await realPathOf(path);
  if (!allows(fence, real)) throw new OutsideError(`${shown} ${fence.outside}`);
  const refusal = fence.refusal?.(real) ?? null;
  if (refusal !== null) throw new OutsideError(`${shown} ${refusal}`);
  return real;
}

/** Also of what does not exist, and of links that lead to nothing: writing would make what they lead to. */
export const realPathOf = (path: string): Promise<string> => resolveLinks(path, maxLinks);

async function resolveLinks(path: string, links: number): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const target = await readlink(path).catch(() => null);
  const parent = dirname(path);
  if (target === null)
    return parent === path ? path : join(await resolveLinks(parent, links), basename(path));
  if (links === 0) throw Object.assign(new Error("too many links"), { code: "ELOOP" });
  return resolveLinks(resolve(await resolveLinks(parent, links), target), links - 1);
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

export async function openWithin(path: string, shown: string, fence: WriteFence): Promise<FileHandle> {
  const real = await realWithin(path, shown, fence);
  return checked(await open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK), shown, fence);
}

async function checked(handle: FileHandle, shown: string, fence: WriteFence): Promise<FileHandle> {
  if (allowsOpened(fence, handle.fd)) return handle;
  await handle.close();
  throw new OutsideError(`${shown} ${fence.outside}`);
}

/** A directory that is held open, and the path by which it is reached whatever its name leads to meanwhile. */
export interface OpenDirectory extends AsyncDisposable {
  readonly path: string;
}

export async function holdDirectory(real: string, shown: string, fence: WriteFence): Promise<OpenDirectory> {
  return held(await checked(await open(real, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), shown, fence), real);
}

/** The directory, made with all that is missing above it, one step at a time. */
export async function makeDirectory(real: string, shown: string, fence: WriteFence): Promise<OpenDirectory> {
  try {
    return await holdDirectory(real, shown, fence);
  } catch (error) {
    if (!isMissing(error) || dirname(real) === real) throw error;
  }
  await using parent = await makeDirectory(dirname(real), shown, fence);
  const path = join(parent.path, basename(real));
  await mkdir(path).catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  });
  return held(await checked(await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), shown, fence), real);
}

const held = (handle: FileHandle, real: string): OpenDirectory => ({
  path: process.platform === "linux" ? `/proc/self/fd/${handle.fd}` : real,
  [Symbol.asyncDispose]: () => handle.close(),
});
