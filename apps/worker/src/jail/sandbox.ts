// The shell under bubblewrap: everything can be read, only the working directory and /tmp can be changed,
// keys and the server's files are out of sight, and so are all other processes. Nothing outlives it.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import type { Hidden } from "./hidden.ts";

export interface SandboxPlan {
  /** Real path; also what can be changed. */
  readonly cwd: string;
  /** What the command sees as /tmp. */
  readonly scratch: string;
  /** Where outputs are kept: to be read, though the server's directory is hidden. */
  readonly outputs: string;
  readonly hidden: readonly Hidden[];
  readonly network: boolean;
}

/** Sockets of daemons live in /run, and one of them may be Docker's; name resolution needs these of it. */
const neededOfRun = ["/run/systemd/resolve", "/run/NetworkManager", "/run/resolvconf", "/run/nscd"];

/** Switches of the kernel: root could write to them without any privilege, and so leave through them. */
const kernelDirectories = ["/proc/sys", "/proc/irq", "/proc/bus", "/proc/fs", "/proc/acpi", "/proc/scsi"];
const kernelFiles = ["/proc/sysrq-trigger", "/proc/mtrr"];

export function sandboxed(plan: SandboxPlan, command: readonly string[]): string[] {
  const { cwd, scratch, outputs, hidden, network } = plan;
  const mounts: { at: string; args: string[] }[] = [
    { at: "/run", args: ["--tmpfs", "/run"] },
    ...neededOfRun.map((at) => ({ at, args: ["--ro-bind-try", at, at] })),
    { at: "/tmp", args: ["--bind", scratch, "/tmp"] },
    { at: cwd, args: ["--bind", cwd, cwd] },
    { at: outputs, args: ["--ro-bind-try", outputs, outputs] },
    ...hidden.map(({ path, isDirectory }) => ({
      at: path,
      args: isDirectory ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path],
    })),
  ];
  // What lies deeper is mounted later, and so decides.
  mounts.sort((a, b) => a.at.length - b.at.length);
  return [
    "bwrap",
    // Root keeps its privileges in bubblewrap unless told otherwise, and could mount everything anew.
    ...["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent", "--cap-drop", "ALL"],
    ...(network ? [] : ["--unshare-net"]),
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...kernelDirectories.filter((path) => existsSync(path)).flatMap((path) => ["--ro-bind", path, path]),
    ...kernelFiles.filter((path) => existsSync(path)).flatMap((path) => ["--ro-bind", "/dev/null", path]),
    ...mounts.flatMap(({ args }) => args),
    ...["--setenv", "TMPDIR", "/tmp", "--unsetenv", "SSH_AUTH_SOCK", "--unsetenv", "XDG_RUNTIME_DIR"],
    ...["--chdir", cwd, "--", ...command],
  ];
}

/** It starts in milliseconds, or not at all. */
const probeMs = 10_000;

/** Why it does not work here, for a person; null when it does. Tried, because being installed is not enough. */
export function sandboxProblem(
  plan: SandboxPlan,
  env: Readonly<Record<string, string>>,
): Promise<string | null> {
  const [program = "bwrap", ...args] = sandboxed(plan, ["/bin/sh", "-c", "exit 0"]);
  return new Promise((resolve) => {
    execFile(program, args, { env: { ...env }, timeout: probeMs, cwd: "/" }, (error, _stdout, stderr) => {
      if (error === null) return resolve(null);
      if (error.code === "ENOENT") return resolve("bubblewrap is not installed");
      resolve(`bubblewrap does not work here: ${stderr.trim().split("\n")[0] || error.message}`);
    });
  });
}
