// The directories of extensions, in order of precedence. Loaded with every worker, so that a worker without
// extensions loads nothing else of them.
import { readdirSync } from "node:fs";
import { join } from "node:path";

export type Scope = "flag" | "project" | "global";

export interface ExtensionPlace {
  readonly scope: Scope;
  /** Holds a directory per extension. */
  readonly directory: string;
}

/** Where extensions are looked for. */
export interface ExtensionSearch {
  readonly home: string;
  readonly cwd: string;
  readonly zotHome: string | undefined;
  /** Directories of extensions that were named by a flag. */
  readonly ext: readonly string[];
  /** Only those. */
  readonly noExt: boolean;
}

export function extensionPlaces({ home, cwd, zotHome, noExt }: ExtensionSearch): ExtensionPlace[] {
  if (noExt) return [];
  const places: ExtensionPlace[] = [
    { scope: "project", directory: join(cwd, ".patchbay", "extensions") },
    { scope: "project", directory: join(cwd, ".zot", "extensions") },
    { scope: "global", directory: join(home, "extensions") },
  ];
  if (zotHome !== undefined) places.push({ scope: "global", directory: join(zotHome, "extensions") });
  return places;
}

export function entriesOf(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch {
    return []; // absent, or not ours to read: there are no extensions in it
  }
}

/** Whether there is anything to load. */
export const anyExtensions = (where: ExtensionSearch): boolean =>
  where.ext.length > 0 ||
  extensionPlaces(where).some(({ directory }) => entriesOf(directory).some((name) => !name.startsWith(".")));
