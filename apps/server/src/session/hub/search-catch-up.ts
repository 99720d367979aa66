// Indexes sessions that the search index lacks or has in part: after a crash, or because they are older than the
// search. One session at a time, each unloaded afterwards, so that memory and load stay low.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "../../diagnostics/logger.ts";
import type { Store } from "../../store/store.ts";
import type { Hub } from "./hub.ts";

export function startCatchUp(hub: Hub, store: Store, log: Logger): { stop(): Promise<void> } {
  let stopped = false;
  const catchUp = async (): Promise<void> => {
    for (const id of await store.unindexed()) {
      if (stopped) return;
      try {
        // Opening a session reads its log and indexes what is missing.
        const session = await hub.open(id);
        await nextTurn(); // a viewer that waited for the same opening attaches first, and keeps it open
        await hub.unload(session);
      } catch (err) {
        log.warn({ session: id, err }, "the search could not be caught up with a session");
      }
    }
  };
  const done = catchUp();
  return {
    async stop() {
      stopped = true;
      await done;
    },
  };
}
