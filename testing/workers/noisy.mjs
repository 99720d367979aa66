// Prints a banner and log lines between its frames, as programs do that use console.log.
import { serve } from "./zot-worker.mjs";

process.stdout.write("Welcome to noisy 1.0\n");
serve({
  say(rest, { write, writeRaw }) {
    writeRaw("debug: thinking hard\n");
    write({ type: "text_delta", delta: rest });
    writeRaw('{"type":"usage","input":"many"}\n');
    write({ type: "from_the_future", shiny: true });
  },
});
