// Speaks well, but does not care that its stdin is closed or that it is asked to terminate.
import { serve } from "./zot-worker.mjs";

process.on("SIGTERM", () => {});
setInterval(() => {}, 1000);
serve({});
