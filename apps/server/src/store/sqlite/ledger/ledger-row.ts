// Converts an entry of the ledger to a row and back.
import { isUnpriced } from "@patchbay/protocol";
import type { Selectable } from "kysely";
import { certaintyOf, type LedgerEntry } from "../../ledger-types.ts";
import type { Tables } from "../database/tables.ts";

/** The order is fixed, because the compiled statement binds values by position. */
export const toLedgerRow = (entry: LedgerEntry): Tables["ledger"] => ({
  session: entry.session,
  seq: entry.seq,
  time: Date.parse(entry.time),
  day: entry.time.slice(0, 10),
  turn: entry.turn,
  person: entry.person,
  cwd: entry.cwd,
  branch: entry.branch,
  worker: entry.worker,
  provider: entry.provider,
  model: entry.model,
  input: entry.input,
  output: entry.output,
  cache_read: entry.cache_read,
  cache_write: entry.cache_write,
  thinking: entry.thinking,
  cost_nanos: entry.cost_nanos,
  price: entry.price,
  unpriced: isUnpriced(entry.price) ? 1 : 0,
  origin: entry.origin ?? "session",
  call: entry.call ?? null,
  cache_write_1h: entry.cache_write_1h ?? 0,
  fast: Number(entry.fast ?? false),
  searches: entry.searches ?? 0,
  images: entry.images ?? 0,
  certainty: certaintyOf(entry),
  low_nanos: entry.low_nanos ?? null,
  high_nanos: entry.high_nanos ?? null,
  list_nanos: entry.list_nanos ?? null,
  caused_by: entry.caused_by ?? null,
});

export const toEntry = ({
  time,
  day: _day,
  unpriced: _unpriced,
  origin,
  call,
  cache_write_1h,
  fast,
  searches,
  images,
  certainty,
  low_nanos,
  high_nanos,
  list_nanos,
  caused_by,
  ...row
}: Selectable<Tables["ledger"]>): LedgerEntry => ({
  ...row,
  time: new Date(time).toISOString(),
  ...(origin === "import" ? { origin } : {}),
  ...(call === null ? {} : { call }),
  ...(cache_write_1h === 0 ? {} : { cache_write_1h }),
  ...(fast === 0 ? {} : { fast: true }),
  ...(searches === 0 ? {} : { searches }),
  ...(images === 0 ? {} : { images }),
  ...(certainty === "exact" ? {} : { certainty }),
  ...(low_nanos === null ? {} : { low_nanos }),
  ...(high_nanos === null ? {} : { high_nanos }),
  ...(list_nanos === null ? {} : { list_nanos }),
  ...(caused_by === null ? {} : { caused_by }),
});
