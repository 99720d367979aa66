// The resource use of a worker process: memory now, and processor time since the last sample. Read from /proc;
// elsewhere it is undefined, not zero.
import { readFileSync } from "node:fs";
import type { Resources } from "@patchbay/protocol";

/** Linux reports processor time in hundredths of a second. */
const ticksPerSecond = 100;
const pageBytes = 4096;

export class ResourceMeter {
  #ticks: number | undefined;
  #at = 0;

  sample(pid: number): Resources | undefined {
    const found = readUsage(pid);
    if (found === undefined) return undefined;
    const at = performance.now();
    const seconds = (at - this.#at) / 1000;
    const used = this.#ticks === undefined ? 0 : (found.ticks - this.#ticks) / ticksPerSecond;
    const first = this.#ticks === undefined;
    this.#ticks = found.ticks;
    this.#at = at;
    const percent = first || seconds <= 0 ? 0 : Math.round((used / seconds) * 1000) / 10;
    return { cpu_percent: percent, memory_bytes: found.pages * pageBytes };
  }
}

function readUsage(pid: number): { ticks: number; pages: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { ticks: Number(fields[11]) + Number(fields[12]), pages: Number(fields[21]) };
  } catch {
    return undefined; // the process has ended, or there is no /proc
  }
}
