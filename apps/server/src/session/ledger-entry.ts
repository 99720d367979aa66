// What one usage frame means for the ledger.
import { toMicroDollars, type UsageEvent } from "@patchbay/protocol";
import type { LedgerEntry, SessionRecord } from "../store/store.ts";

/** What was going on when it was spent. */
export interface Circumstances {
  time: string;
  /** The number of the newest prompt's frame. */
  turn: number;
  branch: string;
}

export function ledgerEntry(
  frame: UsageEvent,
  seq: number,
  session: SessionRecord,
  { time, turn, branch }: Circumstances,
): LedgerEntry {
  return {
    session: session.id,
    seq,
    time,
    turn,
    person: "",
    cwd: session.cwd,
    branch,
    worker: session.worker,
    provider: session.provider,
    model: session.model,
    input: frame.input,
    output: frame.output,
    cache_read: frame.cache_read,
    cache_write: frame.cache_write,
    thinking: frame.thinking ?? 0,
    cost_micros: toMicroDollars(frame.cost_usd),
    price: (frame.unpriced ?? 0) === 0 ? "worker" : "none",
  };
}
