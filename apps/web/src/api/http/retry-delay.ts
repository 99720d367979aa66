// How long to wait before the next try. The first comes at once, because most cuts are a server that
// restarted or a laptop that woke; jitter keeps many pages from returning in the same instant.
const longest = 15_000;
/** After "you attach too often" an early attempt would be refused again. */
export const politeDelay = 10_000;

export function retryDelay(attempt: number, random: () => number = Math.random): number {
  if (attempt <= 0) return 0;
  const ceiling = Math.min(longest, 400 * 2 ** (attempt - 1));
  return Math.round(ceiling / 2 + (random() * ceiling) / 2);
}
