// How many workers there may be, in all and of one person. At the limit, the one that has been idle longest makes room,
// if it can be given its memory back.
import type { Limits } from "../../config/config-file.ts";
import { spenderOf } from "../../projections/spending.ts";
import type { SessionRecord } from "../../store/session-record.ts";
import type { Session } from "../session.ts";

/** Resolves when a worker may be started for the session; rejects, in words, when it may not. */
export async function admit(
  record: SessionRecord,
  sessions: readonly Session[],
  { workers, workers_per_person = workers }: Limits,
): Promise<void> {
  // Also those that wait to be let in themselves, or many at once would all find room.
  const running = sessions.filter((session) => session.worker.is !== "empty");
  const { person } = spenderOf(record);
  const own = running.filter((session) => spenderOf(session.record).person === person);
  if (running.length >= workers) await makeRoom(running, workers, "workers");
  else if (own.length >= workers_per_person) await makeRoom(own, workers_per_person, "workers_per_person");
}

async function makeRoom(
  running: readonly Session[],
  limit: number,
  name: "workers" | "workers_per_person",
): Promise<void> {
  const idlest = running
    .filter((session) => session.canPause)
    .sort((a, b) => b.stats.idleMs - a.stats.idleMs)
    .at(0);
  if (idlest !== undefined) return idlest.worker.stop();
  const atWork = limit === 1 ? "One agent is" : `${limit} agents are`;
  throw new Error(
    `${atWork} at work, which is the limit of this server. Stop one, or raise limits.${name} in patchbay.config.json.`,
  );
}
