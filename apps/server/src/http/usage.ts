// What was spent: the ledger, grouped and filtered, as JSON and as CSV.
import { addUsage, noUsage, type Usage } from "@patchbay/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { type LedgerGroup, type LedgerRow, ledgerGroups, type Store } from "../store/store.ts";
import { parse } from "./parse.ts";

const Time = z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)), "expected a date or time"));
const UsageQuery = z.object({
  from: z.optional(Time),
  to: z.optional(Time),
  group_by: z.optional(z.string()),
});

export function usageRoutes(app: FastifyInstance, store: Store): void {
  const query = async (given: unknown) => {
    const { from, to, group_by } = parse(UsageQuery, given);
    const groupBy = readGroups(group_by);
    return { groupBy, rows: await store.queryLedger({ from, to, groupBy }) };
  };

  app.get("/api/usage", async (request) => {
    const { rows } = await query(request.query);
    const total = rows.reduce((sum, row) => addUsage(sum, row.usage), noUsage);
    return { rows: rows.map((row) => ({ ...row.keys, ...columns(row.usage) })), total: columns(total) };
  });

  app.get("/api/usage.csv", async (request, reply) => {
    const { groupBy, rows } = await query(request.query);
    return reply.header("content-type", "text/csv; charset=utf-8").send(toCsv(groupBy, rows));
  });
}

function readGroups(text: string | undefined): LedgerGroup[] {
  const names = text?.split(",").filter((name) => name !== "") ?? [];
  return names.map((name) => parse(z.enum(ledgerGroups), name));
}

/** `unpriced` always stands beside the cost: a sum that misses calls must say so. */
const columns = (usage: Usage) => ({ ...usage, unpriced: usage.unpriced ?? 0 });

const figures = ["input", "output", "cache_read", "cache_write", "cost_usd", "unpriced"] as const;

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
