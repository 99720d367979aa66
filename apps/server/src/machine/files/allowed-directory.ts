// The real path of a requested directory, if it lies in a root that sessions may use.
import { realpathSync, statSync } from "node:fs";
import { isAbsolute, resolve, sep } from "node:path";
import { PatchbayError } from "@patchbay/protocol";
import { type Config, expandHome } from "../../config/config.ts";

export function allowedDirectory(
  requested: string | undefined,
  config: Pick<Config, "cwd" | "directories">,
): string {
  const wanted =
    requested === undefined || requested.trim() === "" ? config.cwd : expandHome(requested.trim());
  const path = isAbsolute(wanted) ? wanted : resolve(config.cwd, wanted);
  const real = realDirectory(path);
  if (real === undefined) throw new PatchbayError("bad_directory", `The directory ${path} does not exist.`);
  const roots = config.directories.flatMap((root) => realDirectory(root) ?? []);
  if (roots.some((root) => real === root || real.startsWith(root.endsWith(sep) ? root : root + sep)))
    return real;
  throw new PatchbayError(
    "bad_directory",
    `${path} is outside the directories that sessions can use (${config.directories.join(", ")}). Add it to "directories" in patchbay.config.json.`,
  );
}

function realDirectory(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined; // absent or unreadable: not a directory a session could use
  }
}
