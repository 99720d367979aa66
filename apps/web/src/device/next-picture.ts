// Changes that can wait for the next picture of the page and are shown with it: every picture has a cost of its own, and
// while an answer streams there is one every few frames.

/** Where no picture comes by itself, it is made after so long: more than between two pictures of an answer. */
const longestWaitMs = 120;

const waiting = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

export function withNextPicture(run: () => void): void {
  waiting.add(run);
  timer ??= setTimeout(showWaiting, longestWaitMs);
}

/** Called by whoever makes a picture, with what it shows. */
export function showWaiting(): void {
  clearTimeout(timer);
  timer = undefined;
  const runs = [...waiting];
  waiting.clear();
  for (const run of runs) run();
}
