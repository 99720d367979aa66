// The mount plan: what a command in the sandbox sees, and what of it it can change. Nothing of the machine is there but
// what is named here: the system read-only, a home and a /tmp of the agent's own, the session's directory, and what the
// operator adds. The order is by depth: what lies deeper is mounted later, and so decides.
import { lstatSync, mkdirSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { type Guard, gitGuards, guardsIn } from "./executed-later.ts";
import { isWithin } from "./fence.ts";
import { realPathIfThere } from "./private-places.ts";
import { repositoryOf } from "./repository.ts";
import { type SystemMount, secretsOfSystem, systemMounts, systemRoots } from "./system.ts";
import { toolPaths } from "./toolchains.ts";

export type Mount =
  | SystemMount
  /** Of the host, by an open descriptor: an agent might swap a link in. */
  | { readonly kind: "read" | "write"; readonly at: string; readonly source: string }
  /** Hides a directory. */
  | { readonly kind: "empty"; readonly at: string };

export interface SandboxPlan {
  /** The session's directory; it can be changed. A real path. */
  readonly cwd: string;
  /** What else can be changed: directories, made where they are missing. */
  readonly writable: readonly string[];
  /** What else can be read. */
  readonly readable: readonly string[];
  /** Real paths that are not there, unless something in them is named above. */
  readonly hidden: readonly string[];
  readonly network: boolean;
  /** The person's home. What the sandbox has in its place, and as /tmp: directories of the agent's own. */
  readonly home: string;
  readonly scratch: { readonly home: string; readonly tmp: string };
  /** All that a command has of it. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Why a session in this directory cannot be confined, for a person; null: it can. All are real paths. */
export function unconfinable(cwd: string, home: string, serverHome: string): string | null {
  if (isWithin(cwd, serverHome) && !isWithin(cwd, join(serverHome, "worktrees")))
    return `${cwd} contains the server's own files`;
  const holdsSystem =
    systemRoots.some((root) => isWithin(root, cwd)) || (cwd !== home && isWithin(home, cwd));
  return holdsSystem
    ? `${cwd} contains the system or whole home directories, so a sandbox would protect nothing`
    : null;
}

export function mountsOf(plan: SandboxPlan, command: readonly string[]): Mount[] {
  const home = homeOf(plan);
  const writable = [plan.cwd, ...plan.writable.map(made)];
  const repository = repositoryOf(plan.cwd, home);
  const readable = [
    ...plan.readable.flatMap(realPathIfThere),
    // The rest of a monorepo: builds need it, and git would take what it does not see for deleted.
    ...(repository === undefined || repository.root === plan.cwd ? [] : [repository.root]),
  ];
  const named = [...writable, ...readable];
  const tools = toolMounts(plan, command, home, named);
  // A worktree's objects and refs lie in the repository it belongs to: without them nothing can be committed.
  const git = repository === undefined || isWithin(repository.git, repository.root) ? [] : [repository.git];
  const guards = guardMounts([...guardsIn(plan.cwd, home), ...git.flatMap(gitGuards)], writable.slice(1));
  const shown: Mount[] = [
    ...systemMounts(),
    ...["/tmp", "/var/tmp"].map((at) => ({
      kind: "write" as const,
      at,
      source: realpathSync(plan.scratch.tmp),
    })),
    ...(plan.cwd === home
      ? []
      : [{ kind: "write" as const, at: home, source: realpathSync(plan.scratch.home) }]),
    ...tools,
    ...readable.map((at) => ({ kind: "read" as const, at, source: at })),
    ...[...writable, ...git].map((at) => ({ kind: "write" as const, at, source: at })),
    ...guards,
  ];
  const mounts = [
    ...linksTo([plan.home, ...tools.map(({ at }) => at)], shown),
    ...shown,
    ...hiddenMounts(plan, named, shown),
  ];
  // Of two for the same place the later one counts.
  return [...new Map(mounts.map((mount) => [mount.at, mount])).values()].sort(
    (a, b) => a.at.length - b.at.length,
  );
}

/** The real path; a service without a home of its own gets one. */
export const homeOf = ({ home }: Pick<SandboxPlan, "home">): string =>
  home === "/" || !isAbsolute(home) ? "/home/agent" : (realPathIfThere(home)[0] ?? resolve(home));

/** Tool chains. Those in the session's directory are the session's, unless that is the whole home. */
function toolMounts(
  plan: SandboxPlan,
  command: readonly string[],
  home: string,
  named: readonly string[],
): Extract<Mount, { source: string }>[] {
  return toolPaths({ home, environment: plan.environment, command }).flatMap((at) => {
    const source = realPathIfThere(at)[0];
    const holder = named.find((root) => isWithin(at, root));
    if (source === undefined || isSystem(at) || (holder !== undefined && holder !== home)) return [];
    // A link may have been swapped in: it must not lead to what is private.
    const isMoved =
      source !== at && plan.hidden.some((place) => isWithin(source, place) || isWithin(place, source));
    return isMoved ? [] : [{ kind: "read" as const, at, source }];
  });
}

/** A directory that a profile names for its agent is not taken away again. */
const guardMounts = (guards: readonly Guard[], named: readonly string[]): Mount[] =>
  guards
    .filter(({ path }) => !named.some((directory) => isWithin(path, directory)))
    .sort((a, b) => Number(a.readOnly) - Number(b.readOnly))
    .map(({ path, readOnly }) => ({ kind: readOnly ? "read" : "write", at: path, source: path }));

/** Only what would be seen otherwise: a mount in an empty place would tell of it. */
function hiddenMounts(plan: SandboxPlan, named: readonly string[], shown: readonly Mount[]): Mount[] {
  const wanted = [...plan.hidden, ...secretsOfSystem()].filter((path) => !named.includes(path));
  return wanted.flatMap((at) => {
    const holder = shown
      .filter((mount) => "source" in mount || mount.kind === "system")
      .filter((mount) => isWithin(at, mount.at))
      .sort((a, b) => b.at.length - a.at.length)[0];
    const isThere = holder !== undefined && (!("source" in holder) || holder.source === holder.at);
    const stats = isThere ? lstatSync(at, { throwIfNoEntry: false }) : undefined;
    if (stats === undefined) return [];
    return [{ kind: stats.isDirectory() ? ("empty" as const) : ("nothing" as const), at }];
  });
}

const isSystem = (path: string): boolean =>
  ["/usr", "/etc", "/opt", "/bin", "/sbin", "/lib", "/lib64", "/nix/store", "/gnu/store", "/snap"].some(
    (root) => isWithin(path, root),
  );

function made(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return realpathSync(path);
}

/** Links on the way to a path that programs know by name: /home is one on some systems. */
function linksTo(paths: readonly string[], shown: readonly Mount[]): Mount[] {
  return paths.flatMap((path) => {
    const links: Mount[] = [];
    let rest = path;
    for (let count = 0; count < 40; count++) {
      const at = firstLink(rest);
      if (at === undefined || shown.some((mount) => mount.kind !== "directory" && isWithin(at, mount.at)))
        break;
      const target = readlinkSync(at);
      links.push({ kind: "link", at, target });
      rest = resolve(dirname(at), target) + rest.slice(at.length);
    }
    return links;
  });
}

function firstLink(path: string): string | undefined {
  const parts = path.split("/").filter((part) => part !== "");
  return parts
    .map((_part, index) => join("/", ...parts.slice(0, index + 1)))
    .find((prefix) => lstatSync(prefix, { throwIfNoEntry: false })?.isSymbolicLink() === true);
}
