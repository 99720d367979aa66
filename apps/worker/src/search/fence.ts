// What the file tools may reach when the jail is on: directories, through which links do not lead out.
// What was opened is asked where it really is, because a link may be swapped between looking and opening.
import { readlinkSync } from "node:fs";
import { sep } from "node:path";

export interface Fence {
  /** Real paths of the directories that may be read. */
  readonly inside: readonly string[];
  /** Real paths within them that may not: keys, and what belongs to the server. */
  readonly hidden: readonly string[];
}

const isWithin = (path: string, directory: string): boolean =>
  path === directory || path.startsWith(directory.endsWith(sep) ? directory : `${directory}${sep}`);

/** `path` must be real: without links. */
const allows = ({ inside, hidden }: Fence, path: string): boolean =>
  inside.some((directory) => isWithin(path, directory)) &&
  !hidden.some((directory) => isWithin(path, directory));

/** Where an open file really is; null where the system does not say. */
function placeOf(descriptor: number): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return null; // no /proc: then what was resolved before opening has to do
  }
}

export function allowsOpened(fence: Fence, descriptor: number): boolean {
  const place = placeOf(descriptor);
  return place === null || allows(fence, place);
}
