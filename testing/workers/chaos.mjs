// The worker of the chaos run: every prompt is `do ID FRAMES`. It shows the prompt, notes the id in `effects` (so that a
// prompt that runs twice is seen), and streams that many frames with what they cost. Slow enough to be killed in the middle.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { serve } from "./zot-worker.mjs";

process.stdin.on("end", () => process.exit(0));

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

serve({
  async do(rest, { write, writeRaw, untilAborted }) {
    const [id, count] = rest.split(" ");
    appendFileSync(join(process.cwd(), "effects"), `${id}\n`);
    let isAborted = false;
    void untilAborted.then(() => {
      isAborted = true;
    });
    for (let frame = 0; frame < Number(count) && !isAborted; frame++) {
      if (frame % 20 === 19)
        write({
          type: "usage",
          input: 100,
          output: frame,
          cache_read: 0,
          cache_write: 0,
          cost_usd: 0.000_001 * (frame + 1),
        });
      else if (frame % 50 === 49)
        writeRaw(`${JSON.stringify({ type: "tool_progress", id: "t", text: "x".repeat(20_000) })}\n`);
      else write({ type: "text_delta", delta: `${id}:${frame} ` });
      if (frame % 10 === 9) await pause(5);
    }
    write({
      type: "assistant_message",
      content: [{ type: "text", text: `${id} is done` }],
      time: new Date().toISOString(),
    });
    return isAborted ? "aborted" : "end";
  },
});
