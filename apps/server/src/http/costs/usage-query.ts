// Schemas of the queries of usage: a range, filters, groups and a time zone.
import * as z from "zod/mini";
import { type LedgerGroup, ledgerGroups } from "../../store/ledger-types.ts";
import { isTimeZone } from "../../store/time-zone.ts";
import { parse } from "../requests/parse.ts";

const Time = z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)), "expected a date or time"));
const Zone = z
  .string()
  .check(z.refine(isTimeZone, "expected the name of a time zone, such as Europe/Berlin"));
const Name = z.optional(z.string());
const limitOf = (most: number) => z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(most)));

const Where = z.object({
  session: Name,
  person: Name,
  cwd: Name,
  branch: Name,
  worker: Name,
  provider: Name,
  model: Name,
});
export const Filters = z.extend(Where, { from: z.optional(Time), to: z.optional(Time) });
export const UsageQuery = z.extend(Filters, { group_by: z.optional(z.string()), tz: z.optional(Zone) });
export const RankingQuery = z.extend(Filters, { limit: limitOf(1_000) });
export const SummaryQuery = z.extend(Where, { tz: z.optional(Zone) });

export function readGroups(text: string | undefined): LedgerGroup[] {
  const names = text?.split(",").filter((name) => name !== "") ?? [];
  return names.map((name) => parse(z.enum(ledgerGroups), name));
}
