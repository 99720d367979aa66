// The route of the monthly report: a page to print, or its figures as JSON.
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { may } from "../../access/policy.ts";
import { type MonthReport, monthOf } from "../../costs/report/month-report.ts";
import { reportLanguages, reportPage, reportPolicy } from "../../costs/report/report-page.ts";
import type { Hub } from "../../session/hub/hub.ts";
import { parse } from "../requests/parse.ts";
import { Zone } from "./usage-query.ts";

const ReportQuery = z.object({
  month: z.optional(
    z.string().check(z.regex(/^20\d\d-(0[1-9]|1[0-2])$/, "expected a month such as 2026-10")),
  ),
  tz: z._default(Zone, "UTC"),
  lang: z._default(z.enum(reportLanguages), "en"),
  format: z._default(z.enum(["html", "json"]), "html"),
});

export function reportRoutes(
  app: FastifyInstance,
  hub: Hub,
  reportOf: (month: string, zone: string, now: number) => Promise<MonthReport>,
): void {
  app.get("/api/costs/report", may("costs.read-all"), async (request, reply) => {
    const now = Date.now();
    const { tz, lang, format, month = monthOf(now, tz, -1) } = parse(ReportQuery, request.query);
    await hub.spendingWritten();
    const report = await reportOf(month, tz, now);
    if (format === "json") return { report };
    return reply
      .header("content-type", "text/html; charset=utf-8")
      .header("content-security-policy", `${reportPolicy}; frame-ancestors 'none'`)
      .header("cache-control", "no-store")
      .send(reportPage(report, lang));
  });
}
