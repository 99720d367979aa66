// Loaded into a server by a test (node --import): records how long its event loop was blocked. A timer of 10 ms fires late when the
// loop or the machine is busy. CPU time distinguishes the two: the smaller of delay and CPU time is the server's own.
import { appendFileSync } from "node:fs";

const everyMs = 10;
const file = process.env.PATCHBAY_LOOP_WATCH;

if (file !== undefined) {
  let at = performance.now();
  let used = process.cpuUsage();
  setInterval(() => {
    const now = performance.now();
    const { user, system } = process.cpuUsage(used);
    const blocked = Math.round(Math.min(now - at - everyMs, (user + system) / 1000));
    at = now;
    used = process.cpuUsage();
    if (blocked > 2 * everyMs) appendFileSync(file, `${blocked}\n`);
  }, everyMs).unref();
}
