import { CatalogSource } from "../costs/prices/catalog-source.ts";
import { budgetRoutes } from "../http/costs/budgets.ts";
import { priceRoutes } from "../http/costs/prices.ts";
import { usageRoutes } from "../http/costs/usage.ts";
import { feature } from "./feature.ts";

/** Routes for usage, budgets and prices. Sessions keep the ledger and obey budgets without it. */
export const costsFeature = feature({
  name: "costs",
  needs: ["config", "log", "store", "prices", "budgets", "hub", "http"],
  adds: [
    "GET /api/usage",
    "GET /api/usage.csv",
    "GET /api/usage/calls",
    "GET /api/usage/calls.csv",
    "GET /api/usage/calls.jsonl",
    "GET /api/usage/focus.csv",
    "GET /api/usage/turns",
    "GET /api/usage/sessions",
    "GET /api/usage/distribution",
    "GET /api/usage/cache",
    "GET /api/usage/summary",
    "GET /api/usage/now",
    "GET /api/budgets",
    "POST /api/budgets",
    "PATCH /api/budgets/:id",
    "DELETE /api/budgets/:id",
    "POST /api/budgets/:id/grant",
    "GET /api/budgets/events",
    "GET /api/prices",
    "POST /api/prices/rates",
    "POST /api/prices/refresh",
    "POST /api/prices/reprice",
  ],
  async start({ config, log, store, prices, budgets, hub, http }) {
    const catalogSource = new CatalogSource({
      source: config.prices.source,
      home: config.home,
      changed: (catalog) => {
        if (catalog.version !== prices.catalog.version)
          log.info({ version: catalog.version }, "another price catalog is in use");
        prices.catalog = catalog;
      },
      failed: (problem) => log.warn(problem),
    });
    await catalogSource.start(config.prices.refresh_hours * 3_600_000);
    usageRoutes(http, store, hub, prices);
    budgetRoutes(http, budgets, hub);
    priceRoutes(http, {
      store,
      prices,
      catalogSource,
      log,
      repriced: (changes) => {
        hub.repriced(changes);
        budgets.repriced(changes);
      },
    });
    return { close: () => catalogSource.stop() };
  },
});
