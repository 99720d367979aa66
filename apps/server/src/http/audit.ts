// Routes for the audit: its entries in pages and as a file, and the check of its chain.
import { Readable } from "node:stream";
import { type AuditEntry, PatchbayError } from "@patchbay/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import * as z from "zod/mini";
import type { AuditLog } from "../access/audit/audit-log.ts";
import { actorOf } from "../access/guard.ts";
import { may } from "../access/policy.ts";
import type { Rights } from "../access/rights.ts";
import type { AuditQuery } from "../store/people/audit-store.ts";
import { parse } from "./requests/parse.ts";

const Name = z.optional(z.string().check(z.maxLength(200)));
const Time = z.optional(z.iso.datetime({ offset: true, error: "expected a time like 2026-11-18T10:00:00Z" }));
const Filters = z.object({ person: Name, action: Name, target: Name, from: Time, to: Time });
const PageQuery = z.extend(Filters, {
  before: z.optional(z.coerce.number().check(z.int(), z.positive())),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1_000)), 100),
});

export function auditRoutes(app: FastifyInstance, audit: AuditLog, rights: Rights): void {
  /** Everybody sees their own entries, and an admin all. */
  const queryOf = (request: FastifyRequest, given: z.infer<typeof Filters>): AuditQuery => {
    const actor = actorOf(request);
    const seesAll = actor.person === null || rights.refusal(actor, "audit.read-all") === null;
    if (!seesAll && given.person !== undefined && given.person !== actor.person?.id)
      throw new PatchbayError("forbidden", "Only an admin may see what others did.");
    return {
      person: seesAll ? given.person : actor.person?.id,
      action: given.action,
      target: given.target,
      from: given.from === undefined ? undefined : Date.parse(given.from),
      to: given.to === undefined ? undefined : Date.parse(given.to),
    };
  };

  app.get("/api/audit", may("audit.read"), async (request) => {
    const { before = Number.MAX_SAFE_INTEGER, limit, ...filters } = parse(PageQuery, request.query);
    const entries = await audit.list(queryOf(request, filters), before, limit);
    const last = entries.at(-1);
    return { entries, next: entries.length < limit || last === undefined ? null : last.seq };
  });

  app.get("/api/audit.jsonl", may("audit.read"), async (request, reply) => {
    const query = queryOf(request, parse(Filters, request.query));
    return reply
      .header("content-type", "application/x-ndjson; charset=utf-8")
      .header("content-disposition", 'attachment; filename="patchbay-audit.jsonl"')
      .send(Readable.from(jsonLines(audit, query), { objectMode: false }));
  });

  app.get("/api/audit/check", may("audit.read-all"), async () => audit.verify());
}

const step = 1_000;

/** Newest first, written as the reader takes them. */
async function* jsonLines(audit: AuditLog, query: AuditQuery): AsyncGenerator<string> {
  let before = Number.MAX_SAFE_INTEGER;
  let read: AuditEntry[];
  do {
    read = await audit.list(query, before, step);
    if (read.length > 0) yield read.map((entry) => `${JSON.stringify(entry)}\n`).join("");
    before = read.at(-1)?.seq ?? 0;
  } while (read.length === step);
}
