// Acts at a test's pace: says hello when the file `hello` is there, takes a prompt when `take` is there, and
// notes every prompt that it carried out in `effects`, one line each. Without either file it waits.
import { appendFileSync, existsSync } from "node:fs";
import { serve } from "./zot-worker.mjs";

const there = async (file) => {
  while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 5));
};

process.stdin.on("end", () => process.exit(0));
serve({
  before: { hello: () => there("hello"), prompt: () => there("take") },
  /** vanish: it is carried out, and the worker is gone before it has shown the prompt. */
  started({ message }) {
    if (!message.startsWith("vanish ")) return;
    appendFileSync("effects", `${message.slice("vanish ".length)}\n`);
    process.exit(1);
  },
  async effect(rest, { untilAborted }) {
    appendFileSync("effects", `${rest}\n`);
    return rest === "forever" ? untilAborted : "end";
  },
});
