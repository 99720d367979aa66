// Measures how long a server blocks its event loop. Measured inside the server (loop-watch.mjs), because a call from outside also
// waits for a busy machine.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { repository, type ServerOptions } from "./server-process.ts";

/** The longest block that is allowed, on the machine on which the reference work takes `referenceMs` of CPU time. */
const longestAllowedMs = 250;
const referenceMs = 75;

/** The work of a server on a line of 14 MB: to unmask it, to decode it and to parse it. */
function referenceWorkMs(): number {
  const line = Buffer.from(JSON.stringify({ data: "A".repeat(14_000_000) }));
  const before = process.cpuUsage();
  for (let round = 0; round < 2; round++)
    for (let index = 0; index < line.length; index++) line[index] = (line[index] ?? 0) ^ 0x5a;
  JSON.parse(line.toString());
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

export class Watchdog {
  readonly #file = join(tmpdir(), `patchbay-loop-${process.pid}-${Math.random().toString(36).slice(2)}`);

  /** The options of a watched server. */
  get options(): Required<Pick<ServerOptions, "nodeArgs" | "env">> {
    const script = pathToFileURL(join(repository, "testing/src/loop-watch.mjs")).href;
    return { nodeArgs: ["--import", script], env: { PATCHBAY_LOOP_WATCH: this.#file } };
  }

  /** The longest block of the loop since the last call, in milliseconds. */
  longestBlock(): number {
    if (!existsSync(this.#file)) return 0;
    const blocks = readFileSync(this.#file, "utf8").trim().split("\n").map(Number);
    rmSync(this.#file);
    return Math.max(...blocks);
  }
  /**
   * The longest block since the last call if it is longer than allowed. More is allowed on a machine that is slower now: a core that is
   * shared takes longer for the same work, also in CPU time.
   */
  excessiveBlock(): number | undefined {
    const blocked = this.longestBlock();
    if (blocked <= longestAllowedMs) return undefined;
    const slowness = Math.max(1, Math.min(4, referenceWorkMs() / referenceMs));
    return blocked > longestAllowedMs * slowness ? blocked : undefined;
  }
}
