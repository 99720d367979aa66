import * as z from "zod/mini";
import { importRoutes } from "../http/imports.ts";
import { allowedDirectory } from "../machine/files/allowed-directory.ts";
import { CostImports } from "../machine/imports/cost-imports.ts";
import { SessionImports } from "../session/hub/import-session.ts";
import { parseParams } from "../sockets/local/methods.ts";
import { feature } from "./feature.ts";

const CostWish = z.object({ from: z.optional(z.string()), dry_run: z.optional(z.boolean()) });

/** What other programs left here: sessions to go on with, and what was spent outside. */
export const importsFeature = feature({
  name: "imports",
  needs: ["config", "log", "store", "machine", "prices", "hub", "http", "localMethods"],
  adds: ["GET /api/imports", "POST /api/imports/costs", "GET /api/imports/costs", "imports/costs"],
  start({ config, log, store, machine, prices, hub, http, localMethods }) {
    const { environment } = config;
    const costs = new CostImports({
      store,
      prices,
      environment,
      directory: (from) => allowedDirectory(from, config),
      failed: (err) => log.error({ err }, "costs could not be imported"),
    });
    const sessions = new SessionImports(
      {
        ...{ store, prices, machine, environment, log },
        importCosts: (program, path) => costs.file(program, path),
      },
      () => hub.records(),
    );
    hub.useImporter(sessions);
    importRoutes(http, sessions, costs);
    // What `patchbay import costs` asks a server that runs.
    localMethods.set("imports/costs", async (params) => ({
      import: await costs.runToEnd(parseParams(CostWish, params)),
    }));
    return { close: () => costs.close() };
  },
});
