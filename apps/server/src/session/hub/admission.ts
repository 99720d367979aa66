// Limits the number of workers, in all and per person. At the limit, the worker that has been idle longest is stopped,
// if a later start can restore its context.
import type { Limits } from "../../config/config-file.ts";
import { spenderOf } from "../../projections/ledger-entry.ts";
import type { SessionRecord } from "../../store/session-record.ts";
import type { Session } from "../session.ts";

/** Resolves when a worker may be started for the session; rejects with a sentence for a person when it may not. */
export async function admit(
  record: SessionRecord,
  sessions: readonly Session[],
  { workers, workers_per_person = workers }: Limits,
): Promise<void> {
  // Counts sessions that are still waiting for admission, or many that start at once would all be admitted.
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
    `${atWork} running, which is the limit of this server. Stop one, or raise limits.${name} in patchbay.config.json.`,
  );
}
