// What was spent: the ledger, grouped and filtered, as JSON and as CSV, and the turns that cost most.
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { addSums } from "../store/ledger-query.ts";
import {
  type LedgerGroup,
  type LedgerRow,
  type LedgerSums,
  ledgerGroups,
  noSums,
  type Store,
} from "../store/store.ts";
import { isTimeZone } from "../store/time-zone.ts";
import { parse } from "./parse.ts";

const Time = z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)), "expected a date or time"));
const Name = z.optional(z.string());
const Filters = z.object({
  from: z.optional(Time),
  to: z.optional(Time),
  session: Name,
  person: Name,
  cwd: Name,
  branch: Name,
  worker: Name,
  provider: Name,
  model: Name,
});
const UsageQuery = z.extend(Filters, {
  group_by: z.optional(z.string()),
  tz: z.optional(
    z.string().check(z.refine(isTimeZone, "expected the name of a time zone, such as Europe/Berlin")),
  ),
});
const TurnsQuery = z.extend(Filters, {
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1_000))),
});

const someTurns = 20;

export function usageRoutes(app: FastifyInstance, store: Store): void {
  const query = async (given: unknown) => {
    const { from, to, group_by, tz, ...where } = parse(UsageQuery, given);
    const groupBy = readGroups(group_by);
    return {
      groupBy,
      rows: await store.queryLedger({ from, to, groupBy, where, timeZone: tz }),
    };
  };

  app.get("/api/usage", async (request) => {
    const { rows } = await query(request.query);
    const total = rows.reduce((sum, row) => addSums(sum, row.usage), noSums);
    return { rows: rows.map((row) => ({ ...row.keys, ...columns(row.usage) })), total: columns(total) };
  });

  app.get("/api/usage.csv", async (request, reply) => {
    const { groupBy, rows } = await query(request.query);
    return reply.header("content-type", "text/csv; charset=utf-8").send(toCsv(groupBy, rows));
  });

  app.get("/api/usage/turns", async (request) => {
    const { from, to, limit, ...where } = parse(TurnsQuery, request.query);
    const turns = await store.expensiveTurns({ from, to, where }, limit ?? someTurns);
    return { turns: turns.map(({ keys, usage, ...turn }) => ({ ...turn, ...keys, ...columns(usage) })) };
  });
}

function readGroups(text: string | undefined): LedgerGroup[] {
  const names = text?.split(",").filter((name) => name !== "") ?? [];
  return names.map((name) => parse(z.enum(ledgerGroups), name));
}

/** `unpriced` always stands beside the cost: a sum that misses calls must say so. */
const columns = (usage: LedgerSums) => ({ ...usage, unpriced: usage.unpriced ?? 0 });

const figures = [
  "input",
  "output",
  "cache_read",
  "cache_write",
  "cost_usd",
  "unpriced",
  "thinking",
  "calls",
] as const;

function toCsv(groupBy: readonly LedgerGroup[], rows: readonly LedgerRow[]): string {
  const lines = rows.map((row) => {
    const usage = columns(row.usage);
    return [
      ...groupBy.map((group) => quote(row.keys[group] ?? "")),
      ...figures.map((name) => String(usage[name])),
    ];
  });
  return [[...groupBy, ...figures], ...lines].map((cells) => `${cells.join(",")}\r\n`).join("");
}

/** Quoted where needed; a leading = + - @ would be run as a formula by a spreadsheet. */
function quote(cell: string): string {
  const safe = /^[=+\-@]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
