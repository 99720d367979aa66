// What one usage frame means for the ledger.
import { toMicroDollars, type UsageEvent } from "@patchbay/protocol";
import type { LedgerEntry, SessionRecord } from "../store/store.ts";

export function ledgerEntry(frame: UsageEvent, session: SessionRecord): LedgerEntry {
  return {
    time: new Date().toISOString(),
    session: session.id,
    worker: session.worker,
    provider: session.provider,
    model: session.model,
    cwd: session.cwd,
    input: frame.input,
    output: frame.output,
    cache_read: frame.cache_read,
    cache_write: frame.cache_write,
    cost_micros: toMicroDollars(frame.cost_usd),
    priced: (frame.unpriced ?? 0) === 0,
  };
}
