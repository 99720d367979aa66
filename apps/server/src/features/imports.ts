import * as z from "zod/mini";
import { CostImports } from "../costs/imports/cost-imports.ts";
import { importRoutes } from "../http/imports.ts";
import { SessionImports } from "../session/hub/import-session.ts";
import { parseParams } from "../sockets/local/methods.ts";
import { feature } from "./feature.ts";

const CostImportParams = z.object({ from: z.optional(z.string()), dry_run: z.optional(z.boolean()) });

/** Imports from other programs on this machine: sessions to continue, and what was spent outside Patchbay. */
export const importsFeature = feature({
  name: "imports",
  needs: ["log", "store", "machine", "prices", "budgets", "planLimits", "hub", "http", "localMethods"],
  adds: ["GET /api/imports", "POST /api/imports/costs", "GET /api/imports/costs", "imports/costs"],
  start({ log, store, machine, prices, budgets, planLimits, hub, http, localMethods }) {
    const costs = new CostImports({
      store,
      prices,
      imports: machine.imports,
      directory: (from) => machine.directories.find(from),
      settled: (changes) => {
        hub.repriced(changes);
        budgets.repriced(changes);
      },
      planLimits: (program, limits) => planLimits.told(program, limits),
      failed: (err) => log.error({ err }, "costs could not be imported"),
    });
    const sessions = new SessionImports(
      {
        ...{ store, prices, machine, log },
        importCosts: (program, path) => costs.file(program, path),
      },
      () => hub.records(),
    );
    hub.useImporter(sessions);
    importRoutes(http, sessions, costs);
    // `patchbay import costs` calls this on a running server.
    localMethods.set("imports/costs", {
      action: "imports.run",
      call: async (params) => ({ import: await costs.runToEnd(parseParams(CostImportParams, params)) }),
    });
    return { close: () => costs.close() };
  },
});
