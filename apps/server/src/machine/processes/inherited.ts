// Closes descriptors that this process inherited beyond its standard streams. Its parent may have left files and
// directories open, and every worker and sandbox would inherit them: an open directory is a way out of any sandbox.
import { closeSync, readdirSync, readFileSync } from "node:fs";

/** Linux; Node's own descriptors all have it, because Node opens them so that no child inherits them. */
const closeOnExec = 0o2000000;

export function closeInherited(): void {
  if (process.platform !== "linux") return;
  for (const name of readdirSync("/proc/self/fd")) {
    const descriptor = Number(name);
    if (descriptor > 2 && isInheritable(descriptor)) closeSync(descriptor);
  }
}

function isInheritable(descriptor: number): boolean {
  try {
    const flags = /^flags:\s+(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch {
    return false; // the descriptor that readdirSync used
  }
}
