// Which files may be reached: directories, and places in them that may not. Links do not lead out: what was opened is
// asked where it really is, because a link may be swapped between the check and the opening.
import { readlinkSync } from "node:fs";
import { sep } from "node:path";

export interface Fence {
  /** Real paths of the directories that may be reached. */
  readonly inside: readonly string[];
  /** Real paths that may not, unless something within them is named above. */
  readonly hidden: readonly string[];
  /** The end of the message about a path that may not be reached, after its name: "is outside …". */
  readonly outside: string;
}

/** A fence for writing. It stays in one thread: a function cannot be sent to another. */
export interface WriteFence extends Fence {
  /** Why a real path inside must not be written without asking, after its name; null: it may be. */
  refusal?(path: string): string | null;
}

export const isWithin = (path: string, directory: string): boolean =>
  path === directory || path.startsWith(directory.endsWith(sep) ? directory : `${directory}${sep}`);

/** `path` must be real: without links. The longest directory that holds it decides. */
export const allows = ({ inside, hidden }: Fence, path: string): boolean =>
  longest(inside, path) > longest(hidden, path);

const longest = (directories: readonly string[], path: string): number =>
  directories.reduce(
    (length, directory) => (isWithin(path, directory) ? Math.max(length, directory.length) : length),
    -1,
  );

/** Where an open file really is. Null where the system does not say: then what was resolved before has to do. */
function placeOf(descriptor: number): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return null;
  }
}

export function allowsOpened(fence: WriteFence, descriptor: number): boolean {
  const place = placeOf(descriptor);
  return place === null || (allows(fence, place) && (fence.refusal?.(place) ?? null) === null);
}
