// Catches the search up with sessions that it does not know to their end: after a crash, or because they are
// older than the search. One after the other, and put away again, so that nobody notices.
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
        // Opening it reads its log, and tells the search what it does not know.
        const session = await hub.open(id);
        await nextTurn(); // whoever waited for the same opening is attached by then, and it stays
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
