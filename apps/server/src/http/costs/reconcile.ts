// The route that compares a provider's usage export with the ledger. The file is the body, whatever its type is called: it is read as
// it arrives, and nothing of it is kept.
import { Readable } from "node:stream";
import { PatchbayError } from "@patchbay/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { may } from "../../access/policy.ts";
import { compare } from "../../costs/reconcile/compare.ts";
import { UnreadableExport } from "../../costs/reconcile/export-line.ts";
import { maxExportBytes, readExport } from "../../costs/reconcile/read-export.ts";
import type { Hub } from "../../session/hub/hub.ts";
import type { Store } from "../../store/store.ts";
import { parse } from "../requests/parse.ts";

const ReconcileQuery = z.object({
  /** Of the calls in the ledger, where an agent calls the provider by another name. */
  ledger_provider: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
});

const dayMs = 86_400_000;

export async function reconcileRoutes(app: FastifyInstance, store: Store, hub: Hub): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    scope.post(
      "/api/costs/reconcile",
      { ...may("costs.read-all"), bodyLimit: maxExportBytes },
      async (request) => {
        const { ledger_provider } = parse(ReconcileQuery, request.query);
        if (!(request.body instanceof Readable))
          throw new PatchbayError("bad_request", "Send the provider's usage export as the body.");
        const exported = await readExport(request.body).catch((error: unknown) => {
          if (error instanceof UnreadableExport) throw new PatchbayError("bad_request", error.message);
          throw error;
        });
        await hub.spendingWritten();
        const ledger = await store.queryLedger({
          from: `${exported.from}T00:00:00.000Z`,
          to: new Date(Date.parse(exported.to) + dayMs).toISOString(),
          groupBy: ["day", "model"],
          where: { provider: ledger_provider ?? exported.provider },
          timeZone: "UTC",
        });
        return { reconciliation: compare(exported, ledger) };
      },
    );
  });
}
