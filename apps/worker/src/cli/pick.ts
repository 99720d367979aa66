// Finds one extension by path, by name, or by the name of its directory. If several match, it throws with all of
// them: nothing is done to one that was only guessed.
import { resolve } from "node:path";
import { CliError } from "./cli-error.ts";
import type { Installed } from "./installed.ts";

export function pick(all: readonly Installed[], name: string): Installed {
  const byPath = all.find(({ directory }) => directory === resolve(name));
  if (byPath !== undefined) return byPath;
  const [first, ...others] = all.filter(({ base, manifest }) => base === name || manifest?.name === name);
  if (first === undefined) {
    const names = [...new Set(all.map(({ base, manifest }) => manifest?.name ?? base))];
    const known = names.length === 0 ? "No extensions are installed." : `Installed: ${names.join(", ")}.`;
    throw new CliError(`no extension "${name}". ${known}`);
  }
  if (others.length > 0) {
    const paths = [first, ...others].map(({ scope, directory }) => `  ${directory} (${scope})`);
    throw new CliError(`"${name}" matches several extensions. Use the path of one:\n${paths.join("\n")}`);
  }
  return first;
}
