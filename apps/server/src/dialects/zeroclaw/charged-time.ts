// Which time has been charged already. The daemon tells what all of its sessions spent between two moments: turns of ours
// that overlap would each be charged with both, so whoever ends first is charged with what both spent until then, and
// the other with the rest.
type Span = readonly [from: number, to: number];

export class ChargedTime {
  /** When the turns began that are not charged yet. */
  readonly #open: number[] = [];
  #charged: Span[] = [];

  begin(from: number): void {
    this.#open.push(from);
  }

  /** A turn is over: what of its time nobody was charged with. */
  claim(from: number, to: number): Span[] {
    const rest: Span[] = [];
    let at = from;
    for (const [begun, ended] of this.#charged.toSorted(([a], [b]) => a - b)) {
      if (ended < at || begun > to) continue;
      if (begun > at) rest.push([at, begun - 1]);
      at = ended + 1; // both ends count
    }
    if (at <= to) rest.push([at, to]);
    this.#charged.push(...rest);
    this.drop(from);
    return rest;
  }

  /** Nobody will ask what that turn cost. */
  drop(from: number): void {
    const at = this.#open.indexOf(from);
    if (at !== -1) this.#open.splice(at, 1);
    const first = Math.min(...this.#open);
    this.#charged = this.#charged.filter(([, ended]) => ended >= first);
  }
}

const daemons = new Map<number, ChargedTime>();

/** The same for all that speak with the daemon of this process. */
export function chargedTime(pid: number): ChargedTime {
  const known = daemons.get(pid) ?? new ChargedTime();
  daemons.set(pid, known);
  return known;
}
