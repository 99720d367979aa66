// Schemas of the queries of usage: a range, filters, groups and a time zone.
import * as z from "zod/mini";
import { dateStart } from "../../store/calendar.ts";
import { type EntryPosition, type LedgerGroup, ledgerGroups } from "../../store/ledger-types.ts";
import { isTimeZone } from "../../store/time-zone.ts";
import { parse } from "../requests/parse.ts";

/** A date is a day of the asked time zone. A time without an offset would be of the server's zone, which callers do not know. */
const Time = z
  .string()
  .check(
    z.refine(
      (text) =>
        /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/.test(text) && isTime(text),
      "expected a date such as 2026-11-18, or a time with its offset such as 2026-11-18T09:30:00Z",
    ),
  );
/** Date.parse takes the 30th of February for the 1st or 2nd of March. */
const isTime = (text: string): boolean => {
  const day = Date.parse(text.slice(0, 10));
  return !Number.isNaN(Date.parse(text)) && new Date(day).toISOString().startsWith(text.slice(0, 10));
};
export const Zone = z
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
export const Filters = z.extend(Where, {
  from: z.optional(Time),
  to: z.optional(Time),
  tz: z.optional(Zone),
});
export const UsageQuery = z.extend(Filters, { group_by: z.optional(z.string()) });
export const RankingQuery = z.extend(Filters, { limit: limitOf(1_000) });
/** A position in the ledger as `next` of a page says it: `<milliseconds>.<frame>.<session>`. */
const Cursor = z.string().check(
  z.maxLength(300),
  z.refine((text) => cursorPattern.test(text), "expected the `next` of the page before it"),
);
const cursorPattern = /^(\d{1,15})\.(\d{1,15})\.(.+)$/;
export const CallsQuery = z.extend(Filters, { limit: limitOf(1_000), after: z.optional(Cursor) });
export const SummaryQuery = z.extend(Where, { tz: z.optional(Zone) });

/** The range as moments: a date is the beginning of its day. */
export function readRange({ from, to, tz = "UTC" }: Pick<z.infer<typeof Filters>, "from" | "to" | "tz">): {
  from?: string;
  to?: string;
} {
  const moment = (text: string): string =>
    new Date(text.length === "2026-11-18".length ? dateStart(text, tz) : text).toISOString();
  return {
    ...(from === undefined ? {} : { from: moment(from) }),
    ...(to === undefined ? {} : { to: moment(to) }),
  };
}

export function readGroups(text: string | undefined): LedgerGroup[] {
  const names = text?.split(",").filter((name) => name !== "") ?? [];
  return names.map((name) => parse(z.enum(ledgerGroups), name));
}

export const writeCursor = ({ time, seq, session }: EntryPosition): string => `${time}.${seq}.${session}`;

export function readCursor(text: string | undefined): EntryPosition | undefined {
  const [, time, seq, session] = cursorPattern.exec(text ?? "") ?? [];
  return session === undefined ? undefined : { time: Number(time), seq: Number(seq), session };
}
