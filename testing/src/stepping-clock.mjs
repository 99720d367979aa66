// Loaded into a server before anything else: shifts the time of day and the monotonic clock ahead by the milliseconds in the file of
// PATCHBAY_TEST_AHEAD, read again with each SIGUSR2. A test can let days pass with it.
import { readFileSync } from "node:fs";

const RealDate = Date;
const realNow = performance.now.bind(performance);
const read = () => Number(readFileSync(process.env.PATCHBAY_TEST_AHEAD, "utf8"));
let ahead = read();

globalThis.Date = class Date extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + ahead);
    else super(...given);
  }
  static now() {
    return RealDate.now() + ahead;
  }
};
performance.now = () => realNow() + ahead;

process.on("SIGUSR2", () => {
  ahead = read();
  process.stderr.write(`the clock is ahead by ${ahead}\n`);
});
