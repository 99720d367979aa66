// Loaded into a server by the chaos run (node --import): the time of day is off by what a file says, which the run changes
// while the server works, as a machine's clock is when it sleeps or is corrected.
import { readFileSync } from "node:fs";

const file = process.env.PATCHBAY_CLOCK_FILE;
const RealDate = Date;
let offset = 0;
const read = () => {
  try {
    offset = Number(readFileSync(file, "utf8")) || 0;
  } catch {
    offset = 0; // no jump yet
  }
};
read();
setInterval(read, 100).unref();

globalThis.Date = class Date extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + offset);
    else super(...given);
  }
  static now() {
    return RealDate.now() + offset;
  }
};
