// Loaded into a server by a test (node --import): records how long its event loop was blocked. A timer of 10 ms fires late when the
// loop or the machine is busy. CPU time distinguishes the two: the smaller of delay and CPU time is the server's own.
import { appendFileSync, existsSync, readFileSync } from "node:fs";

const everyMs = 10;
const file = process.env.PATCHBAY_LOOP_WATCH;
const schedstat = `/proc/self/task/${process.pid}/schedstat`;

if (file !== undefined) {
  const cpuMs = existsSync(schedstat) ? mainThreadCpuMs : processCpuMs;
  let at = performance.now();
  let used = cpuMs();
  setInterval(() => {
    const now = performance.now();
    const nowUsed = cpuMs();
    const blocked = Math.round(Math.min(now - at - everyMs, nowUsed - used));
    at = now;
    used = nowUsed;
    if (blocked > 2 * everyMs) appendFileSync(file, `${blocked}\n`);
  }, everyMs).unref();
}

/** Of the thread that runs the event loop: garbage collection and compression in other threads do not block it. */
function mainThreadCpuMs() {
  const [nanoseconds] = readFileSync(schedstat, "utf8").split(" ");
  return Number(nanoseconds) / 1e6;
}

function processCpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
