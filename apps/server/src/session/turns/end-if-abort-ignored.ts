// An agent that was told to stop and goes on is ended: whoever pressed stop must not be left with a turn that never ends.
import type { Running } from "./running-turn.ts";

export function insist(running: Running, afterMs: number, goesOn: () => boolean): void {
  if (running.state === "starting") return; // there is no agent yet, and it will not be given the prompt
  const timer = setTimeout(() => {
    if (goesOn()) void running.worker.end(tooLate(afterMs)); // never rejects
  }, afterMs);
  timer.unref();
}

const tooLate = (ms: number): string =>
  `The agent went on for ${Math.ceil(ms / 1000)} s after it was told to stop, so it was ended. Send a prompt to start it again.`;
