// What one usage frame means for the ledger.
import { toMicroDollars, type UsageEvent } from "@patchbay/protocol";
import type { LedgerEntry, SessionRecord } from "../store/store.ts";

export function ledgerEntry(
  frame: UsageEvent,
  seq: number,
  session: SessionRecord,
  time: string,
): LedgerEntry {
  return {
    session: session.id,
    seq,
    time,
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
