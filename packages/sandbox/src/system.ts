// What a sandbox has of the system: programs and their data, read-only; no state, no sockets, no secrets.
import { lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { isWithin } from "./fence.ts";

/** What needs no open descriptor: no agent can write where these lie. */
export type SystemMount =
  /** Of the host, read-only, by its path. */
  | { readonly kind: "system"; readonly at: string }
  /** Hides a file. */
  | { readonly kind: "nothing"; readonly at: string }
  | { readonly kind: "directory" | "proc" | "dev"; readonly at: string }
  | { readonly kind: "link"; readonly at: string; readonly target: string };

/** Those that exist. Of Nix the store and the profiles: its daemon's socket is not for agents. */
const directories =
  `/usr /bin /sbin /lib /lib32 /lib64 /libx32 /etc /opt /snap /gnu/store /nix/store /nix/var/nix/profiles
  /run/current-system /run/opengl-driver /home/linuxbrew/.linuxbrew
  /var/lib/ca-certificates /sys/devices/system/cpu /sys/devices/system/node /sys/fs/cgroup
  /sys/kernel/mm/transparent_hugepage`.split(/\s+/);

/** Switches of the kernel: root could write to them without any privilege, and so leave through them. */
const kernelDirectories = ["/proc/sys", "/proc/irq", "/proc/bus", "/proc/fs", "/proc/acpi", "/proc/scsi"];
/** As containers hide them. */
const kernelFiles =
  `/proc/sysrq-trigger /proc/mtrr /proc/kcore /proc/keys /proc/latency_stats /proc/timer_list
  /proc/sched_debug /proc/kmsg`.split(/\s+/);

/** Where no session's directory may lie around: it would hold the system itself. */
export const systemRoots = ["/usr", "/etc", "/var", "/run", "/proc", "/sys", "/dev", "/bin", "/lib", "/tmp"];

export function systemMounts(): SystemMount[] {
  return [
    { kind: "proc", at: "/proc" },
    { kind: "dev", at: "/dev" },
    ...directories.flatMap(systemMount),
    ...kernelDirectories.filter(isThere).map((at) => ({ kind: "system" as const, at })),
    ...kernelFiles.filter(isThere).map((at) => ({ kind: "nothing" as const, at })),
    { kind: "link", at: "/var/run", target: "/run" }, // some programs know it by this name
    { kind: "directory", at: "/run" },
    ...nameResolution(),
  ];
}

/** On most systems /bin and its like are links into /usr, and stay links. */
function systemMount(at: string): SystemMount[] {
  const stats = lstatSync(at, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink() === true) return [{ kind: "link", at, target: readlinkSync(at) }];
  return stats?.isDirectory() === true ? [{ kind: "system", at }] : [];
}

/** The file that /etc/resolv.conf is a link to: often in /run, of which a sandbox has nothing else. */
function nameResolution(): SystemMount[] {
  try {
    const real = realpathSync("/etc/resolv.conf");
    return isWithin(real, "/etc") || isWithin(real, "/usr") ? [] : [{ kind: "system", at: real }];
  } catch {
    return []; // no name can be resolved outside either
  }
}

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

/** Of a service that runs as root, an agent is root too: what others may not read in /etc, it shall not. */
const secretsInEtc =
  `shadow shadow- gshadow gshadow- sudoers sudoers.d ssl/private ssh krb5.keytab ipsec.secrets wireguard
  NetworkManager/system-connections wpa_supplicant netplan letsencrypt docker kubernetes rancher openvpn ppp security/opasswd
  pki/tls/private cups/ssl exim4/passwd.client msmtprc postfix/sasl_passwd mysql/debian.cnf fstab.d crypttab`.split(
    /\s+/,
  );
/** In these three levels secrets are kept; a full walk would take longer than a command. */
const depthOfEtc = 3;
const maxEntries = 5_000;

let found: readonly string[] | undefined;

/** Looked for once: secrets of the system rarely move. */
export function secretsOfSystem(): readonly string[] {
  found ??= [
    ...new Set([...secretsInEtc.map((name) => join("/etc", name)).filter(isThere), ...notForOthers("/etc")]),
  ];
  return found;
}

function notForOthers(directory: string): string[] {
  const closed: string[] = [];
  let entries = 0;
  const look = (path: string, depth: number): void => {
    for (const entry of list(path)) {
      if (entries++ > maxEntries) return;
      if (!entry.isDirectory() && !entry.isFile()) continue;
      const at = join(path, entry.name);
      const mode = statSync(at, { throwIfNoEntry: false })?.mode ?? 0;
      if ((mode & (entry.isDirectory() ? 0o001 : 0o004)) === 0) closed.push(at);
      else if (entry.isDirectory() && depth > 1) look(at, depth - 1);
    }
  };
  look(directory, depthOfEtc);
  return closed;
}

function list(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return []; // closed to us, and so to the agent
  }
}
