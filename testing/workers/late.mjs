// Never says hello, and ignores that its stdin is closed and that it is asked to terminate: what a server
// that is killed while a worker starts leaves behind.
import { writeFileSync } from "node:fs";

process.on("SIGTERM", () => {});
setInterval(() => {}, 1000);
writeFileSync("late.pid", String(process.pid));
