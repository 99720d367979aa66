// Files and directories within a fence. A path is resolved as far as it exists, links and all, and what
// is then opened is held open: work goes through the descriptor, which no swapped link can lead elsewhere.
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { allows, allowsOpened, type Fence } from "./fence.ts";

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
/** As many as Linux follows. */
const maxLinks = 40;

class OutsideError extends Error {}

const outside = (shown: string): OutsideError =>
  new OutsideError(
    `${shown} is outside the working directory, and the jail is on: only the working directory and /tmp can be reached`,
  );

/** The real path of what is, or would be, at `path`. Rejects when that is outside. */
export async function realWithin(path: string, shown: string, fence: Fence): Promise<string> {
  const real = await realPath(path, maxLinks);
  if (!allows(fence, real)) throw outside(shown);
  return real;
}

/** Also of what does not exist, and of links that lead to nothing: writing would make what they lead to. */
async function realPath(path: string, links: number): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const target = await readlink(path).catch(() => null);
  const parent = dirname(path);
  if (target === null) return parent === path ? path : join(await realPath(parent, links), basename(path));
  if (links === 0) throw Object.assign(new Error("too many links"), { code: "ELOOP" });
  return realPath(resolve(await realPath(parent, links), target), links - 1);
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

export async function openWithin(path: string, shown: string, fence: Fence): Promise<FileHandle> {
  const real = await realWithin(path, shown, fence);
  return checked(await open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK), shown, fence);
}

async function checked(handle: FileHandle, shown: string, fence: Fence): Promise<FileHandle> {
  if (allowsOpened(fence, handle.fd)) return handle;
  await handle.close();
  throw outside(shown);
}

/** A directory that is held open, and the path by which it is reached whatever its name leads to meanwhile. */
export interface HeldDirectory extends AsyncDisposable {
  readonly path: string;
}

export async function holdDirectory(real: string, shown: string, fence: Fence): Promise<HeldDirectory> {
  return held(await checked(await open(real, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), shown, fence), real);
}

/** The directory, made with all that is missing above it, one step at a time. */
export async function makeDirectory(real: string, shown: string, fence: Fence): Promise<HeldDirectory> {
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

const held = (handle: FileHandle, real: string): HeldDirectory => ({
  path: process.platform === "linux" ? `/proc/self/fd/${handle.fd}` : real,
  [Symbol.asyncDispose]: () => handle.close(),
});
