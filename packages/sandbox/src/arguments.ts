// A mount plan as bubblewrap's arguments. They are handed over through a pipe: neither argv nor environment of the program
// that makes the sandbox holds what an agent chose, and no variable of the agent's has an effect on it.
import { closeSync, constants, openSync, readlinkSync } from "node:fs";
import { isAbsolute } from "node:path";
import { homeOf, type Mount, mountsOf, type SandboxPlan } from "./mounts.ts";

export interface SandboxArguments {
  /** For `--args`. */
  readonly args: readonly string[];
  /** What is mounted, open; the first is number `firstDescriptor` in bubblewrap. */
  readonly descriptors: readonly number[];
}

/** After the standard streams and the pipe for the arguments. */
export const argumentsDescriptor = 3;
const firstDescriptor = 4;

/**
 * Processes, shared memory, host name and control groups are the sandbox's own, root has no privileges in it, and it ends
 * with the process that started it. It needs no session of its own (`--new-session`): it is always started as the leader of one, and
 * so stays in the process group by which it is ended.
 */
export const isolation: readonly string[] =
  "--unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --die-with-parent --cap-drop ALL".split(
    " ",
  );

/** `directory` is where the command begins. The caller closes the descriptors. */
export function sandboxArguments(
  plan: SandboxPlan,
  command: readonly string[],
  directory: string,
  options: readonly string[],
): SandboxArguments {
  const opened = new Opened();
  try {
    const mounts = mountsOf(plan, command);
    const hides = mounts.filter(({ kind }) => kind === "empty").map(({ at }) => at);
    const args = [
      ...options,
      ...isolation,
      ...(plan.network ? [] : ["--unshare-net"]),
      ...mounts.flatMap((mount) => mountArguments(mount, opened)),
      // The root and what hides something are in memory: no agent can fill it.
      ...[...hides.toReversed(), "/"].flatMap((at) => ["--remount-ro", at]),
      ...Object.entries(environmentIn(plan)).flatMap(([name, value]) => ["--setenv", name, value]),
      ...["--chdir", directory],
    ];
    return { args, descriptors: opened.descriptors };
  } catch (error) {
    opened.close();
    throw error;
  }
}

function mountArguments(mount: Mount, opened: Opened): string[] {
  const { at } = mount;
  switch (mount.kind) {
    case "system":
      return ["--ro-bind", at, at];
    case "read":
    case "write": {
      const descriptor = opened.open(mount.source);
      const option = mount.kind === "read" ? "--ro-bind-fd" : "--bind-fd";
      return descriptor === undefined ? [] : [option, String(descriptor), at];
    }
    case "nothing":
      return ["--ro-bind", "/dev/null", at];
    case "empty":
      return ["--tmpfs", at];
    case "directory":
      return ["--dir", at];
    case "proc":
      return ["--proc", at];
    case "dev":
      return ["--dev", at];
    case "link":
      return ["--symlink", mount.target, at];
  }
}

/** Linux; Node does not name it. The file is only named by it, not read. */
const O_PATH = 0o10000000;

class Opened {
  readonly descriptors: number[] = [];

  /** Its number in bubblewrap; undefined when it is gone or something else is there by now: then it is not mounted. */
  open(source: string): number | undefined {
    let descriptor: number;
    try {
      descriptor = openSync(source, O_PATH | constants.O_NOFOLLOW);
    } catch {
      return undefined;
    }
    if (readlinkSync(`/proc/self/fd/${descriptor}`) !== source) {
      closeSync(descriptor);
      return undefined;
    }
    this.descriptors.push(descriptor);
    return firstDescriptor + this.descriptors.length - 1;
  }

  close(): void {
    for (const descriptor of this.descriptors) closeSync(descriptor);
  }
}

/** They name sockets and places that are not there. */
const useless =
  `SSH_AUTH_SOCK SSH_AGENT_PID GPG_AGENT_INFO XDG_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS DISPLAY WAYLAND_DISPLAY
  XAUTHORITY DOCKER_HOST PULSE_SERVER`.split(/\s+/);
/** Directories that are written to: where the sandbox does not have them, the usual ones in the home will do. */
const directories =
  `XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME CARGO_HOME GOPATH GOCACHE GOMODCACHE
  PNPM_HOME npm_config_cache`.split(/\s+/);

function environmentIn(plan: SandboxPlan): Record<string, string> {
  const home = homeOf(plan);
  const roots = [plan.home, home, plan.cwd, ...plan.writable];
  const kept = Object.entries(plan.environment).filter(
    ([name, value]) =>
      !useless.includes(name) &&
      !(directories.includes(name) && !roots.some((root) => value === root || value.startsWith(`${root}/`))),
  );
  const ownHome = isAbsolute(plan.home) && plan.home !== "/" ? {} : { HOME: home };
  return { ...Object.fromEntries(kept), ...ownHome, TMPDIR: "/tmp" };
}
