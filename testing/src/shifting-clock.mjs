// Loaded into a server before anything else: every few looks at the clock, the time of day has jumped hours
// ahead or days back, as a machine's does that sleeps or is corrected. Far worse than any real one.
const RealDate = Date;
const jumps = [3_600_000, -86_400_000, 40 * 86_400_000, -30 * 86_400_000];
let calls = 0;
const shift = () => jumps[Math.floor(calls++ / 7) % jumps.length];

globalThis.Date = class Date extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + shift());
    else super(...given);
  }
  static now() {
    return RealDate.now() + shift();
  }
};
