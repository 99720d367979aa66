// Finds extensions. Of several with the same directory name or manifest name the first is used. As in zot a project's
// copy wins even when it is disabled: that is how a project turns one off.
import { realpath, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { ExtensionManifest } from "@patchbay/protocol/extension";
import { readManifest } from "./manifest.ts";
import {
  type ExtensionPlace,
  type ExtensionSearch,
  entriesOf,
  extensionPlaces,
  type Scope,
} from "./places.ts";

export interface FoundExtension {
  readonly scope: Scope;
  readonly directory: string;
  readonly manifest: ExtensionManifest;
}

export interface Discovery {
  /** In order of precedence, disabled and shadowed ones included. */
  readonly found: FoundExtension[];
  readonly problems: { readonly scope: Scope; readonly directory: string; readonly problem: string }[];
}

export async function discover(where: ExtensionSearch): Promise<Discovery> {
  const discovery: Discovery = { found: [], problems: [] };
  for (const directory of where.ext) await look(discovery, "flag", resolve(directory), true);
  for (const { scope, directory } of await distinct(extensionPlaces(where))) {
    for (const name of entriesOf(directory)) {
      if (!name.startsWith(".")) await look(discovery, scope, join(directory, name), false);
    }
  }
  return discovery;
}

/** In the person's home directory the project's place is the global one, which needs no trust. */
async function distinct(places: readonly ExtensionPlace[]): Promise<ExtensionPlace[]> {
  const real = await Promise.all(
    places.map(async (place) => [await realpath(place.directory).catch(() => null), place] as const),
  );
  return real.flatMap(([path, place], at) => {
    if (path === null) return [];
    const sameAsLater = real.slice(at + 1).some(([other, { scope }]) => other === path && scope === "global");
    return sameAsLater ? [] : [place];
  });
}

async function look(discovery: Discovery, scope: Scope, directory: string, wanted: boolean): Promise<void> {
  const isDirectory = await stat(directory).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (!isDirectory) {
    if (wanted)
      discovery.problems.push({
        scope,
        directory,
        problem: `${directory} is not a directory; --ext needs one`,
      });
    return;
  }
  const reading = await readManifest(directory);
  if (reading.ok) discovery.found.push({ scope, directory, manifest: reading.manifest });
  else if (wanted || !reading.absent) discovery.problems.push({ scope, directory, problem: reading.problem });
}

/** Those to run: enabled, and first of their name. */
export function effective(found: readonly FoundExtension[]): FoundExtension[] {
  const directories = new Set<string>();
  const names = new Set<string>();
  return found.filter(({ directory, manifest }) => {
    const base = basename(directory);
    if (directories.has(base)) return false;
    directories.add(base);
    if (manifest.enabled === false || names.has(manifest.name)) return false;
    names.add(manifest.name);
    return true;
  });
}
