// Speaks well, but does not care that its stdin is closed, that it is asked to terminate, or that a turn is to end.
import { serve } from "./zot-worker.mjs";

process.on("SIGTERM", () => {});
setInterval(() => {}, 1000);
serve({
  /** Goes on for ever. */
  deaf(_rest, { write }) {
    write({ type: "text_delta", delta: "I go on" });
    return new Promise(() => {});
  },
});
