// A random number generator with a seed (mulberry32), so that a run can be repeated.

export interface Random {
  /** A whole number from 0 to below `below`. */
  number(below: number): number;
  pick<T>(items: readonly T[]): T;
}

export function randomFrom(seed: number): Random {
  let state = seed;
  const number = (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
  return {
    number,
    pick: (items) => {
      const item = items[number(items.length)];
      if (item === undefined) throw new Error("nothing to pick from");
      return item;
    },
  };
}
