// Routes for usage: the ledger, grouped and filtered, as JSON and as CSV; its single calls, in pages and as files; the most expensive
// turns and sessions; the distribution of costs per turn; the summary of a dashboard.
import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import type * as z from "zod/mini";
import { actorOf } from "../../access/guard.ts";
import { keptOwner } from "../../access/people.ts";
import { may } from "../../access/policy.ts";
import type { Rights } from "../../access/rights.ts";
import type { Prices } from "../../costs/prices/prices.ts";
import { callsCsv, callsJsonLines, readCallPage } from "../../costs/usage/call-rows.ts";
import { focusCsv } from "../../costs/usage/focus-csv.ts";
import { cacheSavings } from "../../costs/usage/usage-cache.ts";
import { columns, toCsv } from "../../costs/usage/usage-csv.ts";
import { summarise } from "../../costs/usage/usage-summary.ts";
import type { Hub } from "../../session/hub/hub.ts";
import { spendingNow } from "../../session/hub/spending-now.ts";
import { addSums, noSums, type TurnQuery } from "../../store/ledger-types.ts";
import { type Store } from "../../store/store.ts";
import { parse } from "../requests/parse.ts";
import {
  CallsQuery,
  Filters,
  RankingQuery,
  readCursor,
  readGroups,
  readRange,
  SummaryQuery,
  UsageQuery,
  writeCursor,
} from "./usage-query.ts";

const defaultLimit = 20;
const defaultPage = 100;

const callsOf = ({ from, to, tz, ...where }: z.infer<typeof Filters>): TurnQuery => ({
  ...readRange({ from, to, tz }),
  where,
});

export function usageRoutes(
  app: FastifyInstance,
  { store, hub, prices, rights }: { store: Store; hub: Hub; prices: Prices; rights: Rights },
): void {
  const query = async (given: unknown) => {
    const asked = parse(UsageQuery, given);
    const { from: _from, to: _to, group_by, tz, ...where } = asked;
    const groupBy = readGroups(group_by);
    return {
      groupBy,
      rows: await store.queryLedger({ ...readRange(asked), groupBy, where, timeZone: tz }),
    };
  };
  const ranking = (given: unknown) => {
    const asked = parse(RankingQuery, given);
    const { from: _from, to: _to, tz: _tz, limit = defaultLimit, ...where } = asked;
    return { range: readRange(asked), where, limit };
  };
  /** A deleted session has no name. */
  const named = <T extends { session: string }>(found: readonly T[]) => {
    const names = new Map(hub.views().map(({ id, name }) => [id, name]));
    return found.map((each) => ({ ...each, name: names.get(each.session) ?? null }));
  };

  app.addHook("preHandler", async (request) => {
    if (request.routeOptions.url?.startsWith("/api/usage") !== true) return;
    const actor = actorOf(request);
    // Everybody sees what they spent themselves, and an admin everything.
    if (actor.person !== null && rights.refusal(actor, "costs.read-all") !== null)
      request.query = { ...Object(request.query), person: keptOwner(actor.person) ?? "" };
    await hub.spendingWritten();
  });

  app.get("/api/usage", may("costs.read"), async (request) => {
    const { rows } = await query(request.query);
    const total = rows.reduce((sum, row) => addSums(sum, row.usage), noSums);
    return { rows: rows.map((row) => ({ ...row.keys, ...columns(row.usage) })), total: columns(total) };
  });

  app.get("/api/usage.csv", may("costs.read"), async (request, reply) => {
    const { groupBy, rows } = await query(request.query);
    return reply
      .header("content-type", "text/csv; charset=utf-8")
      .header("content-disposition", 'attachment; filename="patchbay-usage.csv"')
      .send(toCsv(groupBy, rows));
  });

  app.get("/api/usage/calls", may("costs.read"), async (request) => {
    const { limit = defaultPage, after, ...asked } = parse(CallsQuery, request.query);
    const { rows, next } = await readCallPage(store, callsOf(asked), readCursor(after), limit);
    return { calls: rows, next: next === undefined ? null : writeCursor(next) };
  });

  /** A file of any length, written as the reader takes it. */
  const file = (
    path: string,
    type: string,
    write: (store: Store, query: TurnQuery) => AsyncIterable<string>,
  ) =>
    app.get(`/api/usage/${path}`, may("costs.read"), async (request, reply) => {
      const query = callsOf(parse(Filters, request.query));
      return reply
        .header("content-type", `${type}; charset=utf-8`)
        .header("content-disposition", `attachment; filename="patchbay-${path}"`)
        .send(Readable.from(write(store, query), { objectMode: false }));
    });
  file("calls.csv", "text/csv", callsCsv);
  file("calls.jsonl", "application/x-ndjson", callsJsonLines);
  file("focus.csv", "text/csv", focusCsv);

  app.get("/api/usage/turns", may("costs.read"), async (request) => {
    const { range, where, limit } = ranking(request.query);
    const turns = await store.expensiveTurns({ ...range, where }, limit);
    return {
      turns: named(turns).map(({ keys, usage, ...turn }) => ({ ...turn, ...keys, ...columns(usage) })),
    };
  });

  app.get("/api/usage/sessions", may("costs.read"), async (request) => {
    const { range, where, limit } = ranking(request.query);
    const sessions = await store.expensiveSessions({ ...range, where }, limit);
    return {
      sessions: named(sessions).map(({ keys, usage, ...each }) => ({ ...each, ...keys, ...columns(usage) })),
    };
  });

  app.get("/api/usage/distribution", may("costs.read"), async (request) => {
    const { range, where } = ranking(request.query);
    return store.turnCosts({ ...range, where });
  });

  app.get("/api/usage/cache", may("costs.read"), async (request) => {
    const { range, where } = ranking(request.query);
    return cacheSavings(await store.queryLedger({ ...range, groupBy: ["provider", "model"], where }), prices);
  });

  app.get("/api/usage/summary", may("costs.read"), async (request) => {
    const { tz, ...where } = parse(SummaryQuery, request.query);
    return summarise(store, { now: Date.now(), zone: tz ?? "UTC", where });
  });

  app.get("/api/usage/now", may("costs.read"), async (request) => {
    const actor = actorOf(request);
    return spendingNow(store, hub, Date.now(), (session) => rights.sees(actor, session));
  });
}
