// Loaded into a server by the chaos run (node --import): shifts the time of day by the offset in a file. The run changes it while the
// server works, as when a machine sleeps or its clock is corrected.
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
