// Loaded into a server before anything else: its clocks, that of the day and the one that only goes forward, are ahead by
// the milliseconds in the file that PATCHBAY_TEST_AHEAD names, read again with each SIGUSR2. So a test can let days pass.
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
