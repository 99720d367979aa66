// Room for another worker. At the limit, the one that has been idle longest makes it, if it can be given its memory back.
import type { Session } from "./session.ts";

export async function makeRoom(open: readonly Session[], limit: number): Promise<void> {
  const running = open.filter((session) => session.worker.link !== undefined);
  if (running.length < limit) return;
  const idlest = running
    .filter((session) => session.canPause)
    .sort((a, b) => b.idleMs - a.idleMs)
    .at(0);
  if (idlest === undefined) {
    throw new Error(
      `${limit === 1 ? "One agent is" : `${limit} agents are`} at work, which is the limit of this server. Stop one, or raise limits.workers in patchbay.config.json.`,
    );
  }
  await idlest.worker.stop();
}
