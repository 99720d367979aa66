// How long a server keeps everybody waiting: its event loop is watched from inside (loop-watch.mjs), because on a machine that
// is busy with other tests a call from outside waits for the machine as well.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { repository, type ServerOptions } from "./server-process.ts";

export class Watchdog {
  readonly #file = join(tmpdir(), `patchbay-loop-${process.pid}-${Math.random().toString(36).slice(2)}`);

  /** What a server is started with to be watched. */
  get options(): Required<Pick<ServerOptions, "nodeArgs" | "env">> {
    const script = pathToFileURL(join(repository, "testing/src/loop-watch.mjs")).href;
    return { nodeArgs: ["--import", script], env: { PATCHBAY_LOOP_WATCH: this.#file } };
  }

  /** The longest that the loop was blocked since this was last asked, in milliseconds. */
  longestBlock(): number {
    if (!existsSync(this.#file)) return 0;
    const blocks = readFileSync(this.#file, "utf8").trim().split("\n").map(Number);
    rmSync(this.#file);
    return Math.max(...blocks);
  }
}
