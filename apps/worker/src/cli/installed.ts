// Every extension that is found, and whether it would run: by the order and rules of the host.
import { basename } from "node:path";
import type { ExtensionManifest } from "@patchbay/protocol/extension";
import { readTrusted } from "../approvals/trust.ts";
import { discover, effective } from "../extensions/discovery/discover.ts";
import type { Scope } from "../extensions/discovery/places.ts";

export interface Installed {
  readonly scope: Scope;
  readonly directory: string;
  /** Its directory's name. */
  readonly base: string;
  /** Null when it cannot be read; `state` then has the reason. */
  readonly manifest: ExtensionManifest | null;
  readonly state: string;
}

export async function installed(where: {
  home: string;
  cwd: string;
  zotHome: string | undefined;
}): Promise<Installed[]> {
  const { found, problems } = await discover({ ...where, ext: [], noExt: false });
  const trusted = await readTrusted(where.home, where.cwd);
  const running = new Set(effective(found.filter(({ scope }) => trusted || scope !== "project")));
  const good = found.map((one) => ({
    ...one,
    base: basename(one.directory),
    state:
      one.manifest.enabled === false
        ? "disabled"
        : running.has(one)
          ? "enabled"
          : one.scope === "project" && !trusted
            ? "not trusted"
            : "shadowed",
  }));
  const bad = problems.map(({ directory, problem, scope }) => ({
    scope,
    directory,
    base: basename(directory),
    manifest: null,
    state: `broken: ${problem}`,
  }));
  return [...good, ...bad];
}
