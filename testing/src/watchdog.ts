// Measures how long a server blocks its event loop. Measured inside the server (loop-watch.mjs), because a call from outside also
// waits for a busy machine.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { repository, type ServerOptions } from "./server-process.ts";

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
}
