import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Resolves links as far as the path exists: a budget may be made before its directory. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path)); // absent, or not readable
  }
}
