// A foreign worker under bubblewrap: everything can be read but the server's own files, and only the session's directory,
// the agent's own state and a /tmp of its own can be changed. It sees no other process, and nothing outlives it.
import { existsSync, mkdirSync } from "node:fs";

type Command = readonly [string, ...string[]];

export interface Sandbox {
  /** Directories that the agent keeps its own files in. */
  readonly writable: readonly string[];
  /** What it must not see: the server's home. */
  readonly hidden: readonly string[];
}

export const sandboxMissing =
  'Its sandbox needs bubblewrap, which was not found. Install it ("apt install bubblewrap", "dnf install bubblewrap"), or set "sandbox" to "off" for it in patchbay.config.json.';

/** The command that runs a command in the sandbox: `cwd` is the session's, `directory` where it begins. */
export function confined(
  { writable, hidden }: Sandbox,
  cwd: string,
  command: Command,
  directory: string,
): Command {
  // What is not there yet cannot be mounted, and the agent could not make it.
  for (const path of writable) mkdirSync(path, { recursive: true, mode: 0o700 });
  const mounts = [
    { at: "/tmp", args: ["--tmpfs", "/tmp"] },
    ...programsIn("/tmp", command).map((at) => ({ at, args: ["--ro-bind", at, at] })),
    ...hidden.filter((path) => existsSync(path)).map((at) => ({ at, args: ["--tmpfs", at] })),
    ...[cwd, ...writable].map((at) => ({ at, args: ["--bind", at, at] })),
  ];
  // What lies deeper is mounted later, and so decides.
  mounts.sort((a, b) => a.at.length - b.at.length);
  return [
    "bwrap",
    // Root keeps its privileges in bubblewrap unless told otherwise, and could mount everything anew.
    ...["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent", "--cap-drop", "ALL"],
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...mounts.flatMap(({ args }) => args),
    ...["--setenv", "TMPDIR", "/tmp", "--unsetenv", "SSH_AUTH_SOCK", "--unsetenv", "XDG_RUNTIME_DIR"],
    ...["--chdir", directory, "--", ...command],
  ];
}

/** The sandbox has a /tmp of its own; a program that lies in the real one must still be found, with what it needs. */
const programsIn = (directory: string, command: Command): string[] => {
  const places = command.flatMap((word) => {
    const [first] = word.startsWith(`${directory}/`) ? word.slice(directory.length + 1).split("/") : [];
    return first === undefined || first === "" ? [] : [`${directory}/${first}`];
  });
  return [...new Set(places)].filter((place) => existsSync(place));
};
