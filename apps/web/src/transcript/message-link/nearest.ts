// The entry of a transcript that a link names by its time.

interface Timed {
  key: string;
  time: string;
}

/** The entry nearest to that time; of several the first. */
export function nearestTo<T extends Timed>(entries: Iterable<T>, time: number): T | null {
  let best: T | null = null;
  let distance = Number.POSITIVE_INFINITY;
  for (const entry of entries) {
    const away = Math.abs(Date.parse(entry.time) - time);
    if (away < distance) [best, distance] = [entry, away];
  }
  return best;
}
