// Where extensions lie about, in the order in which they count. Loaded with every worker, so that one
// without extensions needs to load nothing else.
import { readdirSync } from "node:fs";
import { join } from "node:path";

export type Scope = "flag" | "project" | "global";

export interface Place {
  readonly scope: Scope;
  /** Holds a directory per extension. */
  readonly directory: string;
}

/** What decides which extensions count. */
export interface ExtensionSearch {
  readonly home: string;
  readonly cwd: string;
  readonly zotHome: string | undefined;
  /** Directories of extensions that were named. */
  readonly ext: readonly string[];
  /** Only those. */
  readonly noExt: boolean;
}

export function placesOf({ home, cwd, zotHome, noExt }: ExtensionSearch): Place[] {
  if (noExt) return [];
  const places: Place[] = [
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
  placesOf(where).some(({ directory }) => entriesOf(directory).some((name) => !name.startsWith(".")));
