// Every few seconds: measures the workers of open sessions and the silence of their turns, stops those that have been idle too long, and unloads sessions
// without viewers.
import type { Limits } from "../../config/config-file.ts";
import type { Hub } from "./hub.ts";

const everyMs = 5_000;
/** A page that is reloaded should find its session still open. */
const unloadMs = 5 * 60_000;

export function startIdleSweeper(
  hub: Hub,
  limits: Limits,
  onError: (error: unknown) => void,
): { stop(): void } {
  const sweep = async (): Promise<void> => {
    for (const session of hub.openSessions) {
      session.measure();
      hub.resumeHeld(session); // the budget's period may have ended
      if (session.canPause && session.stats.idleMs > limits.worker_idle_ms) await session.worker.stop();
      else if (session.isAtRest && session.stats.idleMs > unloadMs) await hub.unload(session);
    }
  };
  const timer = setInterval(
    () => void sweep().catch(onError),
    Math.min(everyMs, limits.worker_idle_ms, limits.turn_silence_ms),
  );
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
