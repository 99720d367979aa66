// Loaded into a server before anything else: after every few reads of the clock, the time of day jumps hours ahead or days back. Real
// clocks jump like this, but less often, when a machine sleeps or is corrected.
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
