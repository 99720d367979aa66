// The package.json of a program that npm installed: its version, and the Node that it needs.
import { readFileSync, realpathSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import * as z from "zod/mini";

/** How far above a script its package.json is looked for: `dist/bin/` is usual. */
const packageLevels = 4;

/** What `read` finds in the nearest package.json above the program in which it finds something. */
export function readPackageFile<T>(
  program: string,
  read: (content: unknown) => T | undefined,
): T | undefined {
  let directory = dirname(realpathSync(program));
  for (let level = 0; level < packageLevels; level++, directory = dirname(directory)) {
    const found = read(contentOf(join(directory, "package.json")));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Above a program that npm did not install, a package.json is of something else. */
export function isFromNpm(program: string): boolean {
  try {
    return realpathSync(program).includes(`${sep}node_modules${sep}`);
  } catch {
    return false; // a command of the config file that is not there, or a broken link
  }
}

function contentOf(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined; // there is none here, or it cannot be read
  }
}

const Engines = z.looseObject({ engines: z.looseObject({ node: z.string() }) });

/** The oldest Node that an installed program says it runs on: an older version may run on an older one. */
export function oldestNode(program: string): string | undefined {
  const engines = readPackageFile(program, (content) => Engines.safeParse(content).data?.engines.node);
  return engines === undefined ? undefined : /^\s*>=\s*v?(\d+(?:\.\d+){0,2})/.exec(engines)?.[1];
}
