// A worker that does what real agents do at their start: it runs the code that its directory brings, with its own
// environment, before it writes anything; unless a switch prevents it. Which files, is its first argument (as in PATH).
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { serve } from "./zot-worker.mjs";

const [paths = "", ...args] = process.argv.slice(2);
const switches = ["--no-ext", "--no-extensions"];
for (const path of paths.split(delimiter)) {
  const code = join(process.cwd(), path);
  if (existsSync(code) && !args.some((word) => switches.includes(word))) spawnSync("/bin/sh", [code]);
}

serve({
  say(rest, { write }) {
    write({ type: "text_delta", delta: rest });
  },
});
